import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aModel, aReportCell, aReportModel, aSettingsAxis, aTicket } from '../../../test/support/build.js';
import type { JsonObject } from '../../json/json.js';
import type { Ticket } from '../../plan/ticket.js';
import type { FormEvidence, NeedForm } from '../../suite/probe.js';
import type { Recommendation, ReportCell } from '../report-format.js';
import { recommendationsOf } from './recommendations.js';

type Form = 'chat' | 'json_object' | 'json_schema';

/** A cell as whoever wrote its probe knows it. */
interface Asked {
  readonly form: Form;
  /** Another capability than that of the form, as probes of other subjects have it. */
  readonly capability: string;
  readonly stream: boolean;
  /** null: the probe does not vary it. */
  readonly thinking: 'default' | 'enabled' | 'disabled' | null;
  readonly cap: number | null;
  readonly word: boolean;
  /** Passes and trials; of a search, those of each cap. */
  readonly counts: readonly (readonly [number | null, number, number])[];
  readonly isSearch: boolean;
  readonly kind: 'not_json' | 'rule_violation' | 'truncated' | 'http_error';
  /** What the baseline knows of a flaky cell, tonight's trials left out. */
  readonly known: readonly [number, number] | null;
}

const formats: Readonly<Record<Form, JsonObject>> = {
  chat: {},
  json_object: { response_format: { type: 'json_object' } },
  json_schema: { response_format: { type: 'json_schema', json_schema: { name: 'a', strict: true, schema: {} } } },
};

const patches = { default: null, enabled: { thinking: 'on' }, disabled: { thinking: 'off' } };
const model = aModel('demo/one', { settings: { thinking: patches } });

const forms: readonly NeedForm[] = (
  [
    ['plain_text', 'chat'],
    ['structured', 'json_schema'],
    ['free_json', 'json_object'],
    ['free_json', 'json_schema'],
  ] as const
).map(([need, capability], index) => ({
  ...{ need, capability, order: index, settings: {}, care: null },
  budget: null,
}));

function cellOf(asked: Asked, index: number): [Ticket, ReportCell] {
  const { form, capability, stream, thinking, cap, word, counts, isSearch, kind, known } = asked;
  const content = word ? 'Give me json.' : 'Give me some.';
  const request = {
    ...{ messages: [{ role: 'user', content }], ...formats[form], ...(stream && { stream }) },
    ...(!isSearch && cap !== null && { max_tokens: cap }),
  };
  const point = thinking === null ? {} : { thinking };
  const [passed, total] = [counts.reduce((sum, [, p]) => sum + p, 0), counts.reduce((sum, [, , n]) => sum + n, 0)];
  const verdict = passed === total ? 'pass' : passed === 0 ? 'fail' : 'flaky';
  const axes = thinking === null ? [] : [aSettingsAxis('thinking')];
  const find = isSearch ? { axis: 'max_tokens', from: 1, to: 9999, tolerance: 0.1 } : null;
  const probe = `probe-${index}`;
  const seen = known === null ? null : { passed: known[0], total: known[1] };
  return [
    aTicket({
      ...{ path: `suite/${probe}`, point, model, capability },
      probe: { axes, find, steps: [{ kind: 'ask', id: 'request', request, expect: {} }] },
    }),
    aReportCell({
      ...{ probe, point, model: model.key, capability, verdict, trials: { passed, total } },
      ...{ class: passed === total ? null : kind, rung: kind === 'http_error' ? null : 'complete' },
      threshold: isSearch
        ? ({ value: counts[0]?.[0], curve: counts } as unknown as NonNullable<ReportCell['threshold']>)
        : null,
      ...(seen !== null && {
        ...{ standing: 'as_expected', known: { ...seen, total: seen.total + total, since: 'a', before: seen } },
      }),
    }),
  ];
}

function adviceOn(all: readonly Asked[], evidence: readonly FormEvidence[] = []): readonly Recommendation[] {
  const pairs = all.map(cellOf);
  return recommendationsOf({
    ...{ models: [aReportModel(model.key)], capabilities: [], cells: pairs.map(([, cell]) => cell) },
    ...{ tickets: pairs.map(([ticket]) => ticket), forms, evidence, wire: [], behaviours: [], shown: [] },
    simulated: new Set(),
    reaches: new Map(),
  });
}

/** Whether a client that follows the advice to the letter may send such a request. */
function isFollowed({ form, settings, caveats = [] }: Recommendation, asked: Asked, cap: number | null): boolean {
  const { max_tokens: least, stream, thinking, json_word: word } = settings;
  const most = numberIn(caveats, /^max_tokens of (\d+) and more/);
  const knownTo = numberIn(caveats, /^known with max_tokens up to (\d+) only/);
  const sent = asked.thinking === null || asked.thinking === 'default' ? undefined : asked.thinking;
  const isCapLike =
    least === undefined
      ? !(asked.isSearch && (cap ?? Infinity) < 512) &&
        (cap === null || !caveats.some((one) => /^(?:max_tokens does|known without max_tokens)/.test(one)))
      : cap !== null && cap >= Number(least) && cap < (most ?? Infinity) && cap <= (knownTo ?? Infinity);
  return (
    form === asked.form &&
    (stream === undefined || stream === String(asked.stream)) &&
    (thinking === undefined ? sent === undefined : (thinking === 'default' ? undefined : thinking) === sent) &&
    (word === undefined || asked.word) &&
    isCapLike
  );
}

function numberIn(caveats: readonly string[], pattern: RegExp): number | undefined {
  const [found] = caveats.flatMap((one) => pattern.exec(one)?.[1] ?? []);
  return found === undefined ? undefined : Number(found);
}

/** The upper end of Wilson's interval at 95 %, from the roots of its quadratic. */
function most(passed: number, total: number): number {
  const [z2, rate] = [3.8414588206941245, passed / total];
  const [a, b, c] = [1 + z2 / total, -(2 * rate + z2 / total), rate * rate];
  return (-b + Math.sqrt(b * b - 4 * a * c)) / (2 * a);
}

/** What of the evidence the advice goes against. */
function contraryTo(told: Recommendation, all: readonly Asked[]): readonly string[] {
  const isFlaky = told.caveats?.some((one) => one.startsWith('flaky, ')) === true;
  const isContrary = (passed: number, total: number): boolean =>
    passed < total && (!isFlaky || passed === 0 || most(passed, total) < 0.95);
  return all.flatMap((asked) =>
    asked.counts.flatMap(([cap, passed, total]) =>
      isFollowed(told, asked, cap) && isContrary(passed, total)
        ? [`${JSON.stringify(asked)} at ${String(cap)}: ${passed}/${total}`]
        : [],
    ),
  );
}

const counted = fc.oneof(
  fc.integer({ min: 1, max: 12 }).map((total): [number, number] => [total, total]),
  fc.tuple(fc.nat(60), fc.nat(3)).map(([passed, failed]): [number, number] => [passed, passed + failed]),
);
const asked: fc.Arbitrary<Asked> = fc
  .record({
    form: fc.constantFrom<Form>('chat', 'json_object', 'json_schema'),
    isOwn: fc.boolean(),
    stream: fc.boolean(),
    thinking: fc.constantFrom('default', 'enabled', 'disabled', null),
    cap: fc.constantFrom(null, 256, 1024, 4096),
    word: fc.boolean(),
    count: counted,
    curve: fc.option(
      fc.uniqueArray(fc.tuple(fc.constantFrom(128, 512, 1024, 2048), counted), {
        selector: ([cap]) => cap,
        minLength: 1,
      }),
      { freq: 4 },
    ),
    kind: fc.constantFrom('not_json', 'rule_violation', 'truncated', 'http_error'),
    known: fc.option(counted, { freq: 4 }),
  })
  .filter(({ count: [, total], curve }) => total > 0 && (curve ?? []).every(([, [, n]]) => n > 0))
  .map(({ isOwn, count, curve, known, ...one }) => ({
    ...one,
    capability: isOwn ? one.form : 'other',
    isSearch: curve !== null,
    counts: curve === null ? [[one.cap, ...count] as const] : curve.map(([cap, [p, n]]) => [cap, p, n] as const),
    known: curve === null && count[0] < count[1] ? known : null,
  }));

describe('no recommendation goes against a cell of its own report', () => {
  test('whatever was asked and came of it', () => {
    let given = 0;
    fc.assert(
      fc.property(fc.array(asked, { minLength: 1, maxLength: 14 }), (all) => {
        for (const told of adviceOn(all)) {
          if (told.form === null) continue;
          given += 1;
          expect(contraryTo(told, all), JSON.stringify(told)).toEqual([]);
        }
      }),
      { numRuns: 120 },
    );
    expect(given).toBeGreaterThan(25);
  });

  const plain: Asked = {
    ...{ form: 'chat', capability: 'chat', stream: false, thinking: null, cap: null, word: true, isSearch: false },
    ...{ counts: [[null, 10, 10]], kind: 'not_json', known: null },
  };
  const told = (all: readonly Asked[], evidence: readonly FormEvidence[] = []) =>
    adviceOn(all, evidence).find(({ need }) => need === 'plain_text')!;

  test('a cell of another capability whose values are wrong goes against it', () => {
    const values: Asked = { ...plain, capability: 'other', counts: [[null, 4, 9]], kind: 'rule_violation' };
    expect(told([plain]).form).toBe('chat');
    expect(told([plain, values]).form).toBeNull();
    expect(told([plain, { ...values, stream: true }])).toMatchObject({ form: 'chat', settings: { stream: 'false' } });
  });

  test('unless a caveat tells of it', () => {
    const values: Asked = { ...plain, capability: 'other', counts: [[null, 0, 3]], kind: 'rule_violation' };
    const evidence = [{ capability: 'chat', caveats: [{ of: ['other'], say: '{{how}} at sums: check them' }] }];
    expect(told([plain, values], evidence)).toMatchObject({
      ...{ form: 'chat', settings: {} },
      caveats: ['fails at sums: check them (0 of 3 trials passed)'],
    });
    expect(told([plain, { ...values, kind: 'http_error' }], evidence).form).toBeNull();
  });

  test.each<[string, readonly (number | null)[], string | undefined]>([
    ['was only seen with large caps', [2048, 1024], '1024'],
    ['was only searched for above the usual cap', [4096, 2048], '2048'],
    ['passes with the usual cap as well', [2048, 512], undefined],
    ['passes without one', [2048, null], undefined],
  ])('a form that %s gets no less than the least cap at which it passed', (seen, caps, cap) => {
    const asked = caps.map((one): Asked => ({ ...plain, cap: one, counts: [[one, 5, 5]] }));
    const search: Asked = { ...plain, isSearch: true, counts: caps.map((one) => [one, 5, 5] as const) };
    const all = seen.includes('searched') ? [search] : asked;
    expect(told(all).settings).toEqual(cap === undefined ? {} : { max_tokens: cap });
  });

  test('also where another form of the model needs still more', () => {
    const counts = [
      [1024, 0, 5],
      [4096, 5, 5],
    ] as const;
    const search: Asked = { ...plain, form: 'json_object', capability: 'json_object', isSearch: true, counts };
    const given = adviceOn([{ ...plain, cap: 2048, counts: [[2048, 5, 5]] }, search]);
    expect(given.map(({ need, settings }) => [need, settings['max_tokens']])).toEqual([
      ['plain_text', '2048'],
      ['free_json', '4096'],
    ]);
  });

  test('a cell that failed tonight goes against it, however often it passed before', () => {
    const tonight: Asked = { ...plain, counts: [[null, 0, 1]], known: [40, 40] };
    expect(told([plain, tonight]).form).toBeNull();
  });
});
