import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aConfig, aModel, aProbe, aSettingsAxis, aSuite, aTarget, aValuesAxis } from '../../test/support/build.js';
import type { Baseline } from '../baseline/entries.js';
import type { Need, Probe, TrialsSpec } from '../suite/probe.js';
import { makePlan, type PlanOptions } from './make-plan.js';
import { tableIn } from '../../test/support/cases.js';

const place = { file: 'suite.yaml', line: 3, column: 1 };
const needs = (...probes: string[]): Need[] => probes.map((probe) => ({ probe, place }));
const toolChoice = aValuesAxis('tool_choice', { auto: 'auto', object: {} });

const config = aConfig([
  aTarget('demo', {
    baseUrl: 'simulator',
    models: [aModel('demo/alpha'), aModel('demo/org/beta', { as: 'reference' })],
  }),
  aTarget('other', { models: [aModel('other/alpha')] }),
]);
const suites = [
  aSuite('chat', [aProbe('chat/plain', { tags: ['smoke', 'nightly'] })]),
  aSuite('tools', [
    aProbe('tools/order', { axes: [toolChoice], needs: needs('chat/plain'), tags: ['nightly'] }),
    aProbe('tools/flow', { axes: [toolChoice], needs: needs('tools/order') }),
  ]),
];

function keysFor(options: PlanOptions, on = { config, suites }): string[] {
  const { plan, problems } = makePlan({ ...on, baseline: null, options });
  expect(problems).toEqual([]);
  return plan.cells.map(({ cell }) => (cell.selected ? cell.key : `(${cell.key})`));
}

describe('makePlan', () => {
  test('asks every probe at every point on every model, with needs first', () => {
    expect(keysFor({})).toEqual(
      ['demo/alpha', 'demo/org/beta', 'other/alpha'].flatMap((model) => [
        `chat/plain@${model}`,
        `tools/order[tool_choice=auto]@${model}`,
        `tools/order[tool_choice=object]@${model}`,
        `tools/flow[tool_choice=auto]@${model}`,
        `tools/flow[tool_choice=object]@${model}`,
      ]),
    );
  });

  test.each(tableIn('plan', 'filters') as readonly [string, PlanOptions, string[]][])(
    'filters: %s',
    (_, options, expected) => {
      expect(keysFor(options)).toEqual(expected);
    },
  );

  test.each(tableIn('plan', 'unmatched filters') as readonly [string, PlanOptions, string][])(
    'an unmatched --%s is an error with the nearest name',
    (option, options, hint) => {
      const { problems } = makePlan({ config, suites, baseline: null, options });
      expect(problems).toHaveLength(1);
      expect(problems[0]).toMatchObject({ severity: 'error', hint });
      expect(problems[0]?.message).toContain(`--${option} `);
    },
  );

  test('patterns are matched against the whole plan, and filters that leave nothing are an error too', () => {
    const { problems } = makePlan({ config, suites, baseline: null, options: { suites: ['chat'], only: ['tools/*'] } });
    expect(problems).toMatchObject([{ severity: 'error', message: 'the filters leave no cell' }]);
  });
});

describe('needs', () => {
  const model = aModel('t/m', { settings: { thinking: { on: null, off: null } } });
  const planned = (probes: readonly Probe[], on = model) => {
    const { plan, problems } = makePlan({
      config: aConfig([aTarget('t', { baseUrl: 'simulator', models: [on] })]),
      suites: [aSuite('s', probes)],
      baseline: null,
    });
    const cell = (start: string) => plan.cells.find((plannedCell) => plannedCell.cell.key.startsWith(start))?.cell;
    return { problems, plan, needsOf: (start: string) => cell(start)?.needs };
  };

  test('have the same labels on common axes, and all points of other axes must pass', () => {
    const thinking = aSettingsAxis('thinking');
    const { needsOf } = planned([
      aProbe('s/first', { axes: [toolChoice, thinking] }),
      aProbe('s/second', { axes: [toolChoice], needs: needs('s/first') }),
    ]);
    expect(needsOf('s/second[tool_choice=auto]')).toEqual([
      's/first[tool_choice=auto,thinking=on]@t/m',
      's/first[tool_choice=auto,thinking=off]@t/m',
    ]);
  });

  test('cannot be met if the config leaves the needed probe without cells, which blocks only the cells that need it', () => {
    const axes = [aSettingsAxis('thinking')];
    const first = aProbe('s/first', { axes });
    const second = aProbe('s/second', { needs: needs('s/first') });
    const { plan, problems } = planned(
      [first, second, aProbe('s/third', { axes, needs: needs('s/first') })],
      aModel('t/m'),
    );
    expect(problems).toEqual([]);
    expect(plan.cells.map(({ cell }) => [cell.key, cell.needs, cell.unmeetable])).toEqual([
      [
        's/second@t/m',
        [],
        'needs s/first, which is not asked, as the config defines no settings "thinking" for this model',
      ],
    ]);
    const defined = planned([first, second]);
    expect(defined.needsOf('s/second')).toEqual(['s/first[thinking=on]@t/m', 's/first[thinking=off]@t/m']);
    expect(defined.plan.cells.every(({ cell }) => cell.unmeetable === null)).toBe(true);
  });

  test('that share no label are errors at their place', () => {
    const { problems } = planned([
      aProbe('s/first', { axes: [aValuesAxis('tool_choice', { required: 1 })] }),
      aProbe('s/second', { axes: [toolChoice], needs: needs('s/first') }),
    ]);
    expect(problems.every((problem) => problem.place === place)).toBe(true);
    expect(problems.map(({ message }) => message)).toEqual([
      's/second needs s/first, which has no point with the labels of tool_choice=auto',
      's/second needs s/first, which has no point with the labels of tool_choice=object',
    ]);
  });

  test('come before the cells that need them, whatever the order of the file, and a cycle does not hang', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.nat(7), { maxLength: 3 }), { minLength: 1, maxLength: 8 }), (wanted) => {
        const names = wanted.map((_, index) => `p${index}`);
        const probes = wanted.map((of, index) =>
          aProbe(`s/p${index}`, {
            needs: needs(
              ...new Set(of.filter((one) => one < wanted.length && one > index).map((one) => `s/${names[one] ?? ''}`)),
            ),
          }),
        );
        const order = planned(probes).plan.cells.map(({ cell }) => cell);
        expect(order).toHaveLength(probes.length);
        order.forEach((cell, at) => {
          for (const need of cell.needs) expect(order.findIndex(({ key }) => key === need)).toBeLessThan(at);
        });
      }),
    );
    const cycle = planned([aProbe('s/a', { needs: needs('s/b') }), aProbe('s/b', { needs: needs('s/a') })]);
    expect(cycle.plan.cells).toHaveLength(2);
  });
});

describe('settings that a model does not define', () => {
  const thinking = aProbe('s/think', { axes: [toolChoice, aSettingsAxis('thinking')], tags: ['weekly'] });
  const plain = aProbe('s/plain', { tags: ['nightly'] });
  const settings = { thinking: { on: null, off: {} } };
  const both = aConfig([
    aTarget('t', { baseUrl: 'simulator', models: [aModel('t/with', { settings }), aModel('t/without')] }),
  ]);
  const bare = aConfig([aTarget('t', { baseUrl: 'simulator', models: [aModel('t/without')] })]);
  const on = (used: typeof both, options: PlanOptions = {}) =>
    makePlan({ config: used, suites: [aSuite('s', [plain, thinking])], baseline: null, options });
  const absent = { model: 't/without', settings: 'thinking', probes: ['s/think'] };

  test('make no cells for that model, and each model has its own labels', () => {
    const { plan, problems } = on(both);
    expect(problems).toEqual([]);
    expect(plan.cells.map(({ cell }) => cell.key)).toEqual([
      's/plain@t/with',
      's/think[tool_choice=auto,thinking=on]@t/with',
      's/think[tool_choice=auto,thinking=off]@t/with',
      's/think[tool_choice=object,thinking=on]@t/with',
      's/think[tool_choice=object,thinking=off]@t/with',
      's/plain@t/without',
    ]);
    expect(plan.absent).toEqual([absent]);
  });

  test.each<[PlanOptions, boolean]>([
    [{}, true],
    [{ only: ['s/think'] }, true],
    [{ only: ['s/plain', 's/think@t/without'] }, true],
    [{ tags: ['nightly'] }, false],
    [{ skip: ['s/think'] }, false],
    [{ models: ['t/with'] }, false],
  ])('are named only for probes that the filters let through: %j', (options, isNamed) => {
    const { plan, problems } = on(both, options);
    expect(problems).toEqual([]);
    expect(plan.absent).toEqual(isNamed ? [absent] : []);
  });

  test.each<PlanOptions>([
    { only: ['s/think'] },
    { only: ['s/think[tool_choice=auto,thinking=on]'] },
    { tags: ['weekly'] },
  ])('leave nothing to ask, and the hint names the settings: %j', (options) => {
    const { problems } = on(bare, options);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.hint).toContain('no settings "thinking"');
  });

  test('do not hide a misspelt label of a model that defines them', () => {
    const { problems } = on(both, { only: ['s/think[tool_choice=auto,thinking=onn]'] });
    expect(problems).toMatchObject([{ hint: 'did you mean "s/think[tool_choice=auto,thinking=on]"?' }]);
  });

  test('do not make an error of a pattern that skips the probe', () => {
    expect(on(bare, { skip: ['s/think'] }).problems).toEqual([]);
  });
});

describe('trials and courses', () => {
  const until: TrialsSpec = { kind: 'decided', reliable: 0.9, broken: 0.5, error: 0.1, max: 20 };
  test.each(
    tableIn('plan', 'trials and courses') as readonly [
      string,
      PlanOptions,
      TrialsSpec | null,
      object,
      string,
      boolean,
    ][],
  )('%s', (_, options, own, trials, course, confirm) => {
    const on = [aSuite('chat', [aProbe('chat/plain', { trials: own })])];
    const { plan } = makePlan({ config, suites: on, baseline: null, options });
    expect(plan.cells[0]).toMatchObject({ trials, course, confirm });
    expect(plan.profile).toBe(options.profile ?? 'standard');
  });

  test('find and enforce have courses of their own', () => {
    const find = { axis: 'max_tokens', from: 16, to: 1024, tolerance: 0.125 };
    const enforce = { keyword: 'enum', schema: { type: 'object' }, valid: {}, invalid: {} };
    const on = [aSuite('s', [aProbe('s/f', { find, trials: until }), aProbe('s/e', { enforce })])];
    const { plan } = makePlan({ config: aConfig([config.targets[1]!]), suites: on, baseline: null });
    expect(plan.cells.map(({ course }) => course)).toEqual(['find', 'enforce', 'enforce']);
  });
});

describe('plan', () => {
  const baseline: Baseline = {
    file: 'b.yaml',
    covers: [{ cells: '*@demo/*', trials: null }],
    expect: [],
    thresholds: [{ key: 'chat/plain@demo/alpha', value: 5, date: '2026-01-01', note: null, link: null }],
  };

  test('contains what is expected of each cell', () => {
    const { plan } = makePlan({ config, suites, baseline, options: { suites: ['chat'] } });
    expect(plan.cells.map(({ expected }) => expected)).toEqual([
      { kind: 'pass', threshold: 5 },
      { kind: 'pass', threshold: null },
      { kind: 'new' },
    ]);
  });

  test('has digests that depend on what is asked, and not on files, places or the order of members', () => {
    const digests = (on: Partial<Parameters<typeof makePlan>[0]>) => {
      const { plan } = makePlan({ config, suites, baseline, ...on });
      return { ...plan.digests, plan: plan.digest };
    };
    const first = digests({});
    const elsewhere = suites.map((suite) => ({
      ...suite,
      file: '/elsewhere/x.yaml',
      probes: suite.probes.map(
        (probe) =>
          Object.fromEntries(Object.entries({ ...probe, place: { ...place, line: 9 } }).reverse()) as unknown as Probe,
      ),
    }));
    expect(
      digests({ suites: elsewhere, config: { ...config, file: '/elsewhere/chatspec.yaml', out: 'there' } }),
    ).toEqual(first);

    expect(digests({ options: { seed: 2 } })).toMatchObject({
      ...first,
      plan: expect.not.stringMatching(first.plan) as string,
    });
    const renamed = aConfig([
      aTarget('demo', { baseUrl: 'simulator', models: [aModel('demo/alpha', { vars: { a: 1 } })] }),
    ]);
    const changed = digests({ config: renamed });
    expect(changed.config).not.toBe(first.config);
    expect(changed.suites).toBe(first.suites);
    const asking = (schema: string): Probe =>
      aProbe('chat/plain', {
        steps: [
          {
            kind: 'ask',
            id: 'request',
            request: { response_format: { json_schema: { schema: { title: schema } } } },
            expect: {},
          },
        ],
      });
    const [one, two] = ['a', 'b'].map((schema) => digests({ suites: [aSuite('chat', [asking(schema)])] }));
    expect(one?.schemas).not.toBe(two?.schemas);
    expect(one?.suites).not.toBe(two?.suites);
    const labelled = (value: number) =>
      digests({ suites: [aSuite('chat', [aProbe('chat/plain', { axes: [aValuesAxis('seed', { x: value })] })])] });
    expect(labelled(1).suites).not.toBe(labelled(2).suites);
  });

  test('of 12 models with 60 cells each takes milliseconds', () => {
    const models = Array.from({ length: 12 }, (_, index) => aModel(`demo/m${index}`));
    const many = Array.from({ length: 10 }, (_, suite) =>
      aSuite(`s${suite}`, [
        aProbe(`s${suite}/base`),
        aProbe(`s${suite}/varied`, {
          axes: [aValuesAxis('x', { a: 1, b: 2, c: 3, d: 4, e: 5 })],
          needs: needs(`s${suite}/base`, 's0/base'),
        }),
      ]),
    );
    const entries = Array.from({ length: 500 }, (_, index) => ({ cells: `*x${index}*@demo/*`, trials: null }));
    const { plan, problems } = makePlan({
      config: aConfig([aTarget('demo', { baseUrl: 'simulator', models })]),
      suites: many,
      baseline: { ...baseline, covers: entries },
      options: { only: ['*'], skip: ['s9/varied[x=e]'] },
    });
    expect(problems).toEqual([]);
    expect(plan.cells).toHaveLength(12 * 59);
    expect(plan.plannedCells).toBe(12 * 59);
    expect(new Set(plan.cells.map(({ cell }) => cell.key)).size).toBe(12 * 59);
  });
});
