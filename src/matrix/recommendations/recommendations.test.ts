import { describe, expect, test } from 'vitest';
import { aModel, aReportCell, aReportModel, aTicket } from '../../../test/support/build.js';
import type { JsonObject } from '../../json/json.js';
import type { Ticket } from '../../plan/ticket.js';
import type { NeedForm } from '../../suite/probe.js';
import type { Recommendation, ReportCell, ReportQuirk } from '../report-format.js';
import { capabilitiesOf } from '../capabilities.js';
import { recommendationsOf } from './recommendations.js';

interface Asked {
  readonly probe: string;
  readonly model?: string;
  readonly passed: number;
  readonly total: number;
  readonly cap?: number;
  readonly more?: Partial<ReportCell>;
}

const forms: readonly NeedForm[] = [
  { need: 'plain_text', capability: 'chat', order: 10, settings: {}, care: null, budget: null },
  { need: 'structured', capability: 'json_schema', order: 10, settings: {}, care: null, budget: null },
  { need: 'structured', capability: 'json_object', order: 20, settings: {}, care: 'state the fields', budget: null },
];

const bodies: Readonly<Record<string, JsonObject>> = {
  chat: {},
  json_schema: { response_format: { type: 'json_schema', json_schema: { name: 'a', strict: true, schema: {} } } },
  json_object: { response_format: { type: 'json_object' } },
};

const search = { axis: 'max_tokens', from: 512, to: 2048, tolerance: 64 } as const;

/** The name of a probe begins with its capability. */
function asked({ probe, model = 'demo/one', passed, total, cap, more = {} }: Asked): [Ticket, ReportCell] {
  const capability = probe.replace(/-.*/, '');
  const capped = cap === undefined ? {} : { max_tokens: cap };
  const request = { messages: [{ role: 'user', content: 'json' }], ...bodies[capability], ...capped };
  const steps = [{ kind: 'ask' as const, id: 'request', request, expect: {} }];
  const verdict = passed === total ? 'pass' : passed === 0 ? 'fail' : 'flaky';
  const failure = passed === total ? null : 'not_json';
  const trials = { passed, total };
  return [
    aTicket({
      path: `suite/${probe}`,
      model: aModel(model),
      capability,
      probe: { steps, find: more.threshold ? search : null },
    }),
    aReportCell({ probe, model, capability, verdict, class: failure, ...more, trials }),
  ];
}

function advice(all: readonly Asked[], wire: readonly ReportQuirk[] = []): readonly Recommendation[] {
  const pairs = all.map(asked);
  const models = [...new Set(pairs.map(([, { model }]) => model))].map((id) => aReportModel(id));
  return recommendationsOf({
    ...{ models, capabilities: [], cells: pairs.map(([, cell]) => cell), tickets: pairs.map(([ticket]) => ticket) },
    ...{ forms, evidence: [], wire, behaviours: [], shown: [], simulated: new Set(), reaches: new Map() },
  });
}

const on = (need: Recommendation['need'], all: readonly Recommendation[], model = 'demo/one') =>
  all.find((one) => one.need === need && one.model === model)!;

describe('a form that was asked seldom', () => {
  test('is recommended where nothing fails', () => {
    expect(on('plain_text', advice([{ probe: 'chat', passed: 1, total: 1 }]))).toMatchObject({
      form: 'chat',
      because: 'chat passes.',
      caveats: ['known from a single trial only'],
    });
  });

  test('is not where the other forms of the model fail at times', () => {
    const others = ['json_schema', 'json_object'].map((probe) => ({ probe, passed: 14, total: 20 }));
    expect(on('plain_text', advice([...others, { probe: 'chat', passed: 3, total: 3 }])).form).toBeNull();
    expect(on('plain_text', advice([...others, { probe: 'chat', passed: 40, total: 40 }])).form).toBe('chat');
  });

  test('is where only one other form fails at times, or others always do', () => {
    const schema = { probe: 'json_schema', passed: 14, total: 20 };
    const chat = { probe: 'chat', passed: 3, total: 3 };
    expect(on('plain_text', advice([schema, chat])).form).toBe('chat');
    const dead = ['json_schema', 'json_object'].map((probe) => ({ probe, passed: 0, total: 5 }));
    expect(on('plain_text', advice([...dead, chat])).form).toBe('chat');
  });
});

describe('a form that passed, while another one fails at times in the same way', () => {
  const schema: Asked = { probe: 'json_schema', passed: 25, total: 33 };
  const object = (total: number): Asked => ({ probe: 'json_object', passed: total, total });
  const caveats = (...all: readonly Asked[]) => on('structured', advice(all)).caveats;

  test('has a caveat where so many passes may be luck', () => {
    expect(caveats(schema, object(3))).toEqual([
      'json_schema fails at times (25 of 33 trials passed), so 3 passes may be luck: check each answer',
    ]);
    expect(caveats(schema, object(1))).toEqual([
      'json_schema fails at times (25 of 33 trials passed), so a single pass may be luck: check each answer',
      'known from a single trial only',
    ]);
  });

  test('has none where they are too many for luck, or the other one fails for a reason of its own', () => {
    expect(caveats(schema, object(40))).toEqual([]);
    expect(caveats({ ...schema, passed: 0 }, object(3))).toEqual([]);
    expect(caveats({ ...schema, passed: 32 }, object(3))).toEqual([]);
    const values = { class: 'rule_violation', rung: 'conforms' } as const;
    expect(caveats({ ...schema, more: values }, object(3))).toEqual([]);
    expect(
      caveats({ ...schema, more: { class: 'truncated' } }, object(3), { probe: 'chat', passed: 3, total: 3 }),
    ).toEqual([]);
  });

  test('which is said of plain text only where it can fail in this way', () => {
    const chat: Asked = { probe: 'chat', passed: 3, total: 3 };
    expect(on('plain_text', advice([schema, chat])).caveats).toEqual([]);
    const refused: Asked = { ...schema, more: { class: 'http_error', reason: 'schema_rejected' } };
    expect(on('plain_text', advice([refused, chat])).caveats).toEqual([]);
    const cut: Asked = { ...schema, more: { class: 'malformed_response' } };
    expect(on('plain_text', advice([cut, chat])).caveats).toEqual([
      'json_schema fails at times (25 of 33 trials passed), so 3 passes may be luck: check each answer',
    ]);
  });
});

test('what earlier runs know of a cell goes against a single pass of tonight', () => {
  const known = { passed: 12, total: 20, since: 'line', before: { passed: 11, total: 19 } };
  const cell = (standing: ReportCell['standing']): Asked => ({
    ...{ probe: 'chat', passed: 1, total: 1 },
    more: { known, standing },
  });
  expect(on('plain_text', advice([cell('as_expected')])).form).toBeNull();
  // It has changed since, so that what was known is no longer true of it.
  expect(on('plain_text', advice([cell('improvement')])).form).toBe('chat');
});

test('a quirk is a caveat where it shows in answers of the recommended form, and breaks clients', () => {
  const quirk = (name: string, cells: readonly string[]): ReportQuirk => ({
    ...{ model: 'demo/one', quirk: name, standing: 'new', only: null, cells, breaks: ['ids get lost'] },
    ...{ seen: 3, of: 3, exchange: null },
  });
  const chat: Asked = { probe: 'chat', passed: 10, total: 10 };
  const key = asked(chat)[1].key;
  const wire = [quirk('created_missing', [key]), quirk('id_changes_in_stream', []), quirk('usage_repeated', [key])];
  expect(on('plain_text', advice([chat], wire)).caveats).toEqual(['created_missing: ids get lost']);
});

test('a quirk is no caveat of answers in which it cannot show', () => {
  const chat: Asked = { probe: 'chat', passed: 10, total: 10 };
  const key = asked(chat)[1].key;
  const told = (quirk: string, only: ReportQuirk['only'], cells: readonly string[] = []) => {
    const standing: ReportQuirk = {
      ...{ model: 'demo/one', quirk, standing: 'new', only, cells, breaks: ['it breaks'] },
      ...{ seen: 3, of: 3, exchange: null },
    };
    return on('plain_text', advice([chat], [standing])).caveats;
  };
  for (const name of [
    'finish_reason_stop_with_tool_call',
    'arguments_object',
    'missing_tool_call_id',
    'tool_calls_several',
  ])
    for (const only of ['plain', 'all', null] as const) expect(told(name, only, [key]), name).toEqual([]);
  expect(told('id_missing', 'plain')).toEqual(['id_missing: it breaks']);
  expect(told('role_missing', 'streamed')).toEqual([]);
  expect(told('of_another_version', null, [key])).toEqual(['of_another_version: it breaks']);
});

test('alternatives are models that serve the need with the same form, and can speak', () => {
  const all = ['demo/one', 'demo/two', 'demo/mute', 'demo/other'].flatMap((model): Asked[] => [
    { model, probe: 'chat', passed: model === 'demo/mute' ? 0 : 10, total: 10 },
    { model, probe: 'json_schema', passed: model === 'demo/other' ? 0 : 10, total: 10 },
    { model, probe: 'json_object', passed: 10, total: 10 },
  ]);
  expect(on('structured', advice(all)).alternatives).toEqual(['demo/two']);
});

describe('the reason', () => {
  const object: Asked = { probe: 'json_object', passed: 10, total: 10 };

  test('says what is wrong with the form that would come first', () => {
    expect(on('structured', advice([{ probe: 'json_schema', passed: 0, total: 5 }, object])).because).toMatch(
      /^json_object passes \(json_schema fails.*\); state the fields\.$/,
    );
  });

  const withChat = (verdict: 'pass' | 'partial', ...all: readonly Asked[]) => {
    const pairs = all.map(asked);
    const chat = { ...capabilitiesOf(pairs.map(([, cell]) => cell)).find(({ capability }) => capability === 'chat')! };
    return recommendationsOf({
      ...{ models: [aReportModel('demo/one')], cells: pairs.map(([, cell]) => cell), forms, evidence: [] },
      ...{ capabilities: [{ ...chat, verdict }], tickets: pairs.map(([ticket]) => ticket), wire: [] },
      ...{ behaviours: [], shown: [], simulated: new Set(), reaches: new Map() },
    });
  };
  const other = (probe: string, passed: number, total: number): Asked => ({
    ...{ probe: `chat-${probe}`, passed, total, more: { capability: 'other' } },
  });

  test('names the requests that fail, of a capability that passes', () => {
    const passing: Asked = { probe: 'chat', passed: 1, total: 1 };
    expect(on('plain_text', withChat('pass', passing, other('a', 5, 7))).because).toBe(
      'None of the forms that were asked for this need can be relied on: chat passes by itself, but not all requests of its form do, and no setting explains when: suite/chat-a passed 5 of 7 trials.',
    );
    const { because } = on('plain_text', withChat('pass', passing, ...[1, 2, 3, 4].map((n) => other(`b${n}`, n, 9))));
    expect(because).toContain(
      'explains when: suite/chat-b1 passed 1 of 9 trials, suite/chat-b2 2 of 9, suite/chat-b3 3 of 9 and 1 more',
    );
  });

  test('names the cells that fail, of a capability that passes in part', () => {
    const all: Asked[] = [
      { probe: 'chat', passed: 1, total: 1 },
      { probe: 'chat-a', passed: 5, total: 7 },
    ];
    expect(on('plain_text', withChat('partial', ...all)).because).toContain(
      ': chat fails in part, and no setting explains when: suite/chat-a passed 5 of 7 trials.',
    );
  });

  test('speaks of wrong values only where values were wrong', () => {
    const wrong = { class: 'rule_violation', rung: 'conforms' } as const;
    const values: Asked = { probe: 'json_schema', passed: 0, total: 5, more: wrong };
    expect(on('structured', advice([values])).because).toContain('json_schema gives wrong values');
    const broken: Asked = { probe: 'json_schema', passed: 0, total: 5 };
    const once: Asked = { probe: 'json_schema-again', passed: 1, total: 1 };
    expect(on('structured', advice([broken, once])).because).not.toContain('wrong values');
  });

  const curve = [
    [1024, 0, 10],
    [2048, 10, 10],
  ] as const;
  const measured = { value: 2048, last_failing: 1024, monotonic: true, curve };

  test.each<[string, readonly Asked[], string]>([
    [
      'only what it was asked with',
      [{ probe: 'chat', passed: 10, total: 10, cap: 2048 }],
      'with max_tokens 2048 (it was asked with no smaller one)',
    ],
    [
      'a bound, below which it fails',
      [{ probe: 'chat', passed: 10, total: 10, more: { threshold: measured } }],
      'with max_tokens >= 2048',
    ],
  ])('says of a cap whether it is %s', (_, all, how) => {
    expect(on('plain_text', advice(all)).because).toBe(`chat passes ${how}.`);
  });

  test('makes one remark of two', () => {
    const works: Asked = { probe: 'json_object', passed: 10, total: 10, cap: 2048 };
    const { because } = on('structured', advice([works, { probe: 'json_schema', passed: 0, total: 5 }]));
    expect(because).toMatch(
      /^json_object passes with max_tokens 2048 \(it was asked with no smaller one; json_schema fails/,
    );
    expect(because).not.toContain(') (');
  });

  test('says of a form that never failed why it cannot be relied on', () => {
    const others = ['json_schema', 'json_object'].map((probe) => ({ probe, passed: 14, total: 20 }));
    const { because } = on('plain_text', advice([...others, { probe: 'chat', passed: 3, total: 3 }]));
    const why = 'chat passed all 3 times, which may be luck where other forms fail at times';
    expect(because).toBe(`None of the forms that were asked for this need can be relied on: ${why}.`);
  });
});
