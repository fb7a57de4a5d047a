import { describe, expect, test } from 'vitest';
import {
  aFailure,
  aFault,
  aModelEvent,
  anAnswerOf,
  anExchange,
  anExchangeRecord,
  aRequest,
  aTrialEvent,
  passing,
} from '../../../test/support/build.js';
import type { Answer, TransportFailureKind } from '../../chat/exchange.js';
import type { ExchangeRecord } from '../../journal/event.js';
import type { Json } from '../../json/json.js';
import type { Outcome } from '../../judge/outcome.js';
import { failureCaveats, failureNotes } from '../../matrix/failed-requests-text.js';
import { openGathering } from './gather.js';

const model = 'demo/m';
const cell = `s/p@${model}`;

const good: Partial<Answer> = {};
const error500: Partial<Answer> = { status: 500, body: ['{"error":{"message":"internal error"}}'] };
const refused429: Partial<Answer> = { status: 429, body: ['{"error":{"message":"Rate limit reached"}}'] };
const stopped: Partial<Answer> = { status: null, body: [], failure: { kind: 'interrupted', message: 'stopped' } };
const failing = (kind: TransportFailureKind, status: number | null = null): Partial<Answer> => ({
  ...{ status, body: status === null ? [] : ['data: {"choices":['] },
  failure: { kind, message: kind },
});
const openStream = anAnswerOf('data: {"choices":[{"index":0,"delta":{"content":"Hel"},"finish_reason":null}]}\n\n');

interface Sent {
  readonly answer: Partial<Answer>;
  readonly body?: Json;
  readonly purpose?: ExchangeRecord['purpose'];
}

/** What a run of these trials says; each has the answers to its requests, in their order, and what was made of them. */
function gatheredOf(trials: readonly (readonly [outcome: Outcome, ...sent: Sent[]])[]) {
  const gathering = openGathering();
  gathering.onEvent(aModelEvent(model));
  trials.forEach(([outcome, ...sent], sample) => {
    const ids = sent.map(({ answer, body = aRequest(), purpose = 'probe' }, attempt) => {
      const id = `e${sample}-${attempt}`;
      const exchange = anExchange(body, answer);
      gathering.onEvent({ ...anExchangeRecord(id, cell, { purpose, attempt }), model, exchange });
      return id;
    });
    gathering.onEvent(aTrialEvent(cell, sample, outcome, ids));
  });
  const { run, failed } = gathering.gathered();
  return { failed: failed?.get(model) ?? null, notes: run.notes };
}

const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);
const once = (answer: Partial<Answer>, body?: Json): [Outcome, ...Sent[]] => [
  passing,
  { answer, ...(body && { body }) },
];
const retried = (answer: Partial<Answer>, body?: Json): [Outcome, ...Sent[]] => {
  const form = body === undefined ? {} : { body };
  return [passing, { answer, ...form }, { answer: good, ...form }];
};
const streamed = aRequest({ stream: true });

describe('requests that were sent again', () => {
  test('are counted by model and kind, and named in a note', () => {
    const { failed, notes } = gatheredOf([...times(39, retried(error500)), ...times(314, once(good))]);
    expect(failed).toEqual({
      ...{ failed: 39, of: 392, stream: null, lost: 0 },
      kinds: [{ kind: 'status', status: 500, requests: 39 }],
    });
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(
      /^demo\/m: 39 of 392 requests got no usable answer \(HTTP 500\)\. They were answered when they were sent again;/,
    );
  });

  test.each([
    ['timeout', failing('headers_timeout')],
    ['timeout', failing('body_timeout', 200)],
    ['cut', failing('connection_reset', 200)],
    ['cut', openStream],
    ['reset', failing('connection_reset')],
    ['refused', failing('connection_refused')],
    ['dns', failing('dns')],
    ['tls', failing('tls')],
    ['status', { status: 502, body: ['<html>Bad gateway</html>'] }],
    ['error_object', { body: ['{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}'] }],
  ] as const)('as %s', (kind, answer) => {
    const { failed } = gatheredOf([retried(answer), once(good)]);
    expect(failed).toMatchObject({ failed: 1, of: 3, kinds: [{ kind, requests: 1 }] });
  });

  test('name the form of request if one alone is concerned', () => {
    const cut = gatheredOf([
      ...times(44, retried(openStream, streamed)),
      ...times(17, once(good, streamed)),
      ...times(80, once(good)),
    ]);
    expect(cut.failed).toMatchObject({ failed: 44, of: 105, stream: true });
    expect(cut.notes[0]).toContain('44 of 105 streamed requests got no usable answer (cut off)');
    const plain = gatheredOf([...times(9, retried(error500)), ...times(50, once(good, streamed))]);
    expect(plain.failed).toMatchObject({ failed: 9, of: 18, stream: false });
    const both = gatheredOf([...times(5, retried(error500)), ...times(5, retried(error500, streamed))]);
    expect(both.failed).toMatchObject({ failed: 10, of: 20, stream: null });
    const onlyForm = gatheredOf(times(10, retried(openStream, streamed)));
    expect(onlyForm.failed).toMatchObject({ stream: null });
    const few = gatheredOf([...times(1, retried(openStream, streamed)), ...times(9, once(good))]);
    expect(few.failed).toMatchObject({ of: 11, stream: null });
  });

  test('also where they were not answered then either, and the trial was lost', () => {
    const hung = failing('headers_timeout');
    const lost: [Outcome, ...Sent[]] = [aFault(), { answer: hung }, { answer: hung }, { answer: hung }];
    const { failed, notes } = gatheredOf([lost, lost, ...times(9, once(good))]);
    expect(failed).toMatchObject({ failed: 6, of: 15, lost: 2 });
    expect(notes[0]).toContain('(timed out), and 2 trials ended without one. No verdict counts them');
    expect(notes[0]).not.toContain('sent again');
  });

  test('not where only the key is refused, which no repetition mends', () => {
    const refused: Partial<Answer> = { status: 401, body: ['{"error":{"message":"Incorrect API key provided"}}'] };
    const lost: [Outcome, ...Sent[]] = [
      aFault({ class: 'http_error', reason: 'auth', status: 401 }),
      { answer: refused },
    ];
    const { failed, notes } = gatheredOf([...times(5, lost), ...times(20, once(good))]);
    expect(failed).toMatchObject({ failed: 5, of: 25, lost: 5 });
    expect(notes[0]).not.toContain('again');
    expect(failureCaveats(failed!, null)[0]).toMatch(/\(HTTP 401\): check the key$/);
  });

  test('and controls that were not answered', () => {
    const { failed } = gatheredOf([
      [passing, { answer: error500 }, { answer: error500 }, { answer: error500, purpose: 'control' }, { answer: good }],
    ]);
    expect(failed).toMatchObject({ failed: 3, of: 4, lost: 0 });
  });

  test('in the note of many models, share one sentence', () => {
    const gathering = openGathering();
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
      for (let sample = 0; sample < 5; sample += 1) {
        const own = `s/p@demo/${name}`;
        const ids = [error500, good].map((answer, attempt) => {
          const id = `${name}${sample}${attempt}`;
          const exchange = anExchange(aRequest(), answer);
          gathering.onEvent({ ...anExchangeRecord(id, own, { attempt }), model: `demo/${name}`, exchange });
          return id;
        });
        gathering.onEvent(aTrialEvent(own, sample, passing, ids));
      }
    }
    const { notes } = gathering.gathered().run;
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(
      /^8 models left requests without a usable answer: demo\/a 5 of 10 \(HTTP 500\), .* and 2 more\./,
    );
  });
});

describe('beside requests that made their trials fail', () => {
  const failure = aFailure({ class: 'http_error', reason: 'model_output_rejected', status: 500 });
  const control: Sent = { answer: good, purpose: 'control' };
  /** Two failures, a good control, one more failure. */
  const failedFor500: [Outcome, ...Sent[]] = [
    failure,
    ...[{ answer: error500 }, { answer: error500 }, control, { answer: error500 }],
  ];
  const trials = [...times(20, failedFor500), ...times(10, retried(error500)), ...times(15, once(good))];

  test('the sentence gives the number of all, and of each kind', () => {
    const { failed, notes } = gatheredOf(trials);
    const kind = { kind: 'status', status: 500 };
    expect(failed).toMatchObject({
      ...{ failed: 10, of: 115, kinds: [{ ...kind, requests: 10 }] },
      findings: [{ ...kind, requests: 60 }],
    });
    expect(notes).toEqual([
      'demo/m: 70 of 115 requests got no usable answer (HTTP 500): 60 made their trials fail, and 10 were answered when they were sent again. No verdict counts the 10, but a client that does not retry meets them all',
    ]);
    expect(failureCaveats(failed!, null)).toEqual([
      '70 of 115 requests got no usable answer (HTTP 500), of which 60 made their trials fail: send them again',
    ]);
  });

  test('also where trials were lost', () => {
    const hung = failing('headers_timeout');
    const lost: [Outcome, ...Sent[]] = [aFault(), { answer: hung }, { answer: hung }];
    const { notes } = gatheredOf([...trials, lost]);
    expect(notes).toEqual([
      'demo/m: 72 of 117 requests got no usable answer (70 HTTP 500, 2 timed out): 60 made their trials fail. No verdict counts the other 12, and 1 trial ended without an answer, but a client meets them all',
    ]);
  });

  test('of the same form only, where one alone is concerned', () => {
    const failedStreams = failedFor500.map((one) =>
      'answer' in one ? { ...one, body: streamed } : one,
    ) as typeof failedFor500;
    const { failed, notes } = gatheredOf([
      ...times(5, failedFor500),
      ...times(3, failedStreams),
      ...times(44, retried(openStream, streamed)),
      ...times(80, once(good)),
    ]);
    expect(failed).toMatchObject({ failed: 44, of: 100, stream: true, findings: [{ requests: 9 }] });
    expect(notes[0]).toContain('53 of 100 streamed requests got no usable answer (44 cut off, 9 HTTP 500): 9 made');
  });

  test('in the note of many models', () => {
    const kinds = [{ kind: 'status', status: 500, requests: 10 }] as const;
    const findings = [{ kind: 'status', status: 500, requests: 60 }] as const;
    const one = { failed: 10, of: 115, stream: null, lost: 0, kinds, findings };
    const notes = failureNotes(new Map(['a', 'b', 'c', 'd'].map((name) => [`demo/${name}`, one])));
    expect(notes[0]).toContain('demo/a 70 of 115 (HTTP 500; 60 made their trials fail), demo/b');
  });
});

describe('nothing is said', () => {
  test.each<readonly [string, readonly (readonly [Outcome, ...Sent[]])[]]>([
    ['of answers, good and bad', [once(good), [aFailure(), { answer: good }]]],
    ['of refusals for load', [retried(refused429), retried(refused429), retried(refused429)]],
    ['of a run that was stopped', [[aFault(), { answer: stopped }], once(good)]],
    [
      'of a connection that broke after the end',
      [
        once({
          ...anAnswerOf(
            'data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
          ),
          failure: { kind: 'connection_reset', message: 'reset' },
        }),
      ],
    ],
    [
      'of a 5xx that is the finding of its cell',
      [
        once(good),
        ...times(4, [
          aFailure({ class: 'http_error', reason: 'server_error', status: 500 }),
          { answer: error500 },
          { answer: error500 },
          { answer: good, purpose: 'control' as const },
        ] as [Outcome, ...Sent[]]),
      ],
    ],
    [
      'of a form that was never answered, whose cells say so',
      [once(good), ...times(4, [aFault(), { answer: openStream, body: streamed }] as [Outcome, ...Sent[]])],
    ],
    ['of a model that answered nothing', times(4, [aFault(), { answer: error500 }] as [Outcome, ...Sent[]])],
  ])('%s', (_, trials) => {
    expect(gatheredOf(trials)).toEqual({ failed: null, notes: [] });
  });

  test('aloud of a single failure, or of few in a long night', () => {
    const single = gatheredOf([retried(error500), ...times(20, once(good))]);
    expect(single.failed).toMatchObject({ failed: 1, of: 22 });
    expect(single.notes).toEqual([]);
    const few = gatheredOf([...times(3, retried(error500)), ...times(600, once(good))]);
    expect(few.failed).toMatchObject({ failed: 3 });
    expect(few.notes).toEqual([]);
  });
});
