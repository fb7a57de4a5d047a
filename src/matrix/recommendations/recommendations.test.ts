import { describe, expect, test } from 'vitest';
import { aModel, aReportCell, aReportModel, aTicket } from '../../../test/support/build.js';
import type { JsonObject } from '../../json/json.js';
import type { Ticket } from '../../plan/ticket.js';
import type { NeedForm } from '../../suite/probe.js';
import type { Recommendation, ReportCell, ReportQuirk } from '../report-format.js';
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
    ...{ forms, evidence: [], wire, behaviours: [], shown: [], simulated: new Set() },
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
