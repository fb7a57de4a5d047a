import { describe, expect, test } from 'vitest';
import { aModel, aReportCell, aReportModel, aPlannedCell } from '../../../test/support/build.js';
import type { JsonObject } from '../../json/json.js';
import type { PlannedCell } from '../../plan/plan.js';
import type { NeedForm } from '../../suite/probe.js';
import type { Recommendation, ReportCell, ReportQuirk } from '../report-format.js';
import { reportWords } from '../../report/words/facts.js';
import { recommendationsOf } from './recommendations.js';

interface Asked {
  readonly probe: string;
  readonly model?: string;
  readonly passed: number;
  readonly total: number;
  readonly cap?: number;
  /** It demands no fields. */
  readonly isLoose?: boolean;
  /** What the user asks for; default: the same in every probe. */
  readonly task?: string;
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

const rules = [
  { id: 'sum', assert: 'value.a = 1' },
  { id: 'streamed', assert: 'reply.streamed' },
];

/** The name of a probe begins with its capability. */
function asked({
  probe,
  model = 'demo/one',
  passed,
  total,
  cap,
  isLoose,
  task,
  more = {},
}: Asked): [PlannedCell, ReportCell] {
  const capability = probe.replace(/-.*/, '');
  const capped = cap === undefined ? {} : { max_tokens: cap };
  const request = { messages: [{ role: 'user', content: task ?? 'json' }], ...bodies[capability], ...capped };
  const expectation =
    capability === 'chat' || isLoose ? {} : { schema: { type: 'object' }, ...(more.failures && { rules }) };
  const steps = [{ kind: 'ask' as const, id: 'request', request, expect: expectation }];
  const verdict = passed === total ? 'pass' : passed === 0 ? 'fail' : 'flaky';
  const failure = passed === total ? null : 'not_json';
  const trials = { passed, total };
  return [
    aPlannedCell({
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
    ...{ models, cells: pairs.map(([, cell]) => cell), plannedCells: pairs.map(([planned]) => planned) },
    ...{ forms, evidence: [], wire, behaviours: [], shown: [], simulated: new Set(), words: reportWords },
  });
}

const on = (need: Recommendation['need'], all: readonly Recommendation[], model = 'demo/one') =>
  all.find((one) => one.need === need && one.model === model)!;

describe('a form', () => {
  const wavering = ['json_schema', 'json_object'].map((probe) => ({ probe, passed: 14, total: 20 }));
  const chat = (passed: number, total: number): Asked => ({ probe: 'chat', passed, total });

  test('is recommended where nothing fails, with what is known in counts', () => {
    expect(on('plain_text', advice([chat(1, 1)]))).toMatchObject({
      ...{ form: 'chat', settings: {}, trials: { passed: 1, total: 1, cells: 1 } },
      caveats: [expect.stringMatching(/single trial/)],
    });
  });

  test.each([
    [2, 1],
    [3, 0],
  ])('known from %i trials has %i caveats', (total, caveats) => {
    expect(on('plain_text', advice([chat(total, total)])).caveats).toHaveLength(caveats);
  });

  test.each<[string, string | null, readonly Asked[]]>([
    ['is where others waver', 'chat', [...wavering, chat(3, 3)]],
    ['is flaky if so few fail that it may be reliable', 'chat', [chat(98, 100)]],
    ['is not if they may be more than one in ten', null, [chat(46, 50)]],
    ['is not if too many fail', null, [chat(50, 60)]],
  ])('%s', (_, form, all) => expect(on('plain_text', advice(all)).form).toBe(form));

  test('comes before another by its order, unless it fails', () => {
    const object: Asked = { probe: 'json_object', passed: 5, total: 5 };
    const schema = (passed: number): Asked => ({ probe: 'json_schema', passed, total: 5 });
    expect(on('structured', advice([object, schema(5)])).form).toBe('json_schema');
    expect(on('structured', advice([object, schema(0)])).form).toBe('json_object');
  });
});

describe('a form that promises less', () => {
  const wrong = (count: number, rule = 'sum'): Partial<ReportCell> => {
    const kind = { class: 'rule_violation', reason: null, status: 200, count, rung: 'conforms' } as const;
    const rest = { detail: null, step: null, exchange: null, exchanges: [], traceresponse: null, response_id: null };
    return { class: 'rule_violation', failures: [{ ...kind, ...rest, violations: [{ at: rule, message: '' }] }] };
  };
  const schema = (passed: number, total: number, more: Partial<Asked> = {}): Asked => ({
    ...{ probe: 'json_schema', passed, total },
    ...more,
  });
  const object = (passed: number, total: number, more: Partial<Asked> = {}): Asked => ({
    ...{ probe: 'json_object', passed, total },
    ...more,
  });
  const chosen = (...all: readonly Asked[]) => on('structured', advice(all));

  test.each<[string, string | null, readonly Asked[]]>([
    ['wrong values rank no form lower', 'json_schema', [schema(4, 13, { more: wrong(9) }), object(3, 3)]],
    ['what demands no fields is no evidence', null, [schema(0, 3), object(3, 3, { isLoose: true })]],
    ['but a refusal of it is', null, [schema(0, 3), object(0, 3, { isLoose: true })]],
    [
      'and so where another probe of it passes',
      null,
      [object(3, 3), object(0, 3, { probe: 'json_object-2', isLoose: true })],
    ],
    ['better at the same task', 'json_object', [schema(2, 3), object(3, 3)]],
    [
      'no better at the same task',
      null,
      [schema(3, 3), schema(0, 3, { probe: 'json_schema-2', task: 'json too' }), object(3, 3)],
    ],
    ['what breaks no rule of values', 'json_object', [schema(4, 13, { more: wrong(9, 'streamed') }), object(3, 3)]],
    ['usable at times, no task in common', 'json_schema', [schema(98, 100), object(3, 3, { task: 'other' })]],
    ['usable at times, worse at the same task', 'json_object', [schema(98, 100), object(3, 3)]],
  ])('%s', (_, form, all) => {
    expect(chosen(...all).form).toBe(form);
  });

  test('says that no task was asked of both', () => {
    const apart = chosen(schema(0, 3), object(3, 3, { task: 'other' }));
    const together = chosen(schema(0, 3), object(3, 3));
    expect([apart.form, together.form]).toEqual(['json_object', 'json_object']);
    expect(apart.because.length).toBeGreaterThan(together.because.length);
  });

  test('tells of wrong values as a caveat with counts', () => {
    const told = chosen(schema(4, 13, { more: wrong(9) }));
    expect(told.trials).toMatchObject({ passed: 13, total: 13 });
    expect(told.caveats?.filter((text) => text.includes('9 of 13'))).toHaveLength(1);
    expect(chosen(schema(13, 13)).caveats).toEqual([]);
  });
});

describe('max_tokens', () => {
  const at = (cap: number, passed: number, total: number, failure: ReportCell['class'] = 'truncated'): Asked => ({
    ...{ probe: `chat-${cap}`, passed, total, cap },
    more: passed === total ? {} : { class: failure },
  });
  const settings = (...all: readonly Asked[]) => on('plain_text', advice(all)).settings;

  test('is what nothing is cut with', () => {
    expect(settings(at(512, 0, 3), at(2048, 5, 5))).toEqual({ max_tokens: '2048' });
    expect(settings(at(512, 5, 5), at(2048, 5, 5))).toEqual({});
  });

  test('is not blamed for failures that come and go', () => {
    const told = on('plain_text', advice([at(512, 16, 20, 'not_json'), at(2048, 20, 20)]));
    expect(told.form).toBeNull();
  });
});
