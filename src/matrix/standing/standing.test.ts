import { describe, expect, test } from 'vitest';
import { aFinding, anEntry, aPlan, aPlannedCell, type PlannedCellChanges } from '../../../test/support/build.js';
import type { Finding, Law } from '../../decide/course.js';
import type { CellState, Expected, TrialCounts } from '../../baseline/entries.js';
import { standingsOf } from './standing.js';

const law = (changes: Partial<Law> = {}): Law => ({
  known: { passed: 10, total: 10 },
  doubt: [],
  changed: 0,
  holds: 0,
  bound: 2,
  suspicion: null,
  start: 0,
  ...changes,
});
const doubtOf = (...doubt: readonly TrialCounts[]) => law({ doubt, suspicion: 'regression' });
const lost = doubtOf({ passed: 0, total: 2 });

type Case = readonly [planned: PlannedCellChanges, finding: Finding];

function standingsIn(cases: Readonly<Record<string, Case>>) {
  const cells = Object.entries(cases).map(([name, [planned]]) => aPlannedCell({ path: `s/${name}`, ...planned }));
  const findings = new Map(Object.values(cases).map(([, finding], at) => [cells[at]!.cell.key, finding]));
  const { standings, shared } = standingsOf(aPlan(cells), findings, null);
  const names = Object.keys(cases);
  return {
    of: (name: string) => standings.get(cells[names.indexOf(name)]!.cell.key),
    shared: shared.get(cells[0]!.cell.model.key) ?? [],
  };
}

const known = { expected: anEntry() };
const fresh = { expected: { kind: 'new' } } as const;

describe('a cell by itself', () => {
  test.each([
    ['that is new and fails', fresh, aFinding(0, 1, { doubtOutcome: 'confirmed' }), 'new', false],
    ['that is new and in doubt', fresh, aFinding(2, 1, { doubtOutcome: 'unsettled' }), 'new', true],
    ['without a doubt', {}, aFinding(1, 0, { law: law() }), 'as_expected', false],
    ['of which a doubt was cleared', {}, aFinding(9, 1, { doubtOutcome: 'cleared', law: lost }), 'as_expected', false],
    ['that may have got worse', {}, aFinding(0, 2, { doubtOutcome: 'unsettled', law: lost }), 'regression', true],
    ['that got worse', {}, aFinding(0, 20, { doubtOutcome: 'confirmed', law: lost }), 'regression', false],
    [
      'that got better',
      known,
      aFinding(9, 0, { doubtOutcome: 'confirmed', law: law({ suspicion: 'improvement' }) }),
      'improvement',
      false,
    ],
    [
      'that fails in another way',
      known,
      aFinding(0, 9, { doubtOutcome: 'confirmed', law: law({ suspicion: 'changed' }) }),
      'changed',
      false,
    ],
    ['that does not hold', {}, aFinding(6, 4, { doubtOutcome: 'unreliable', law: lost }), 'unreliable', false],
    [
      'that did not hold before, and passes',
      {},
      aFinding(3, 0, { law: law({ unreliable: true }) }),
      'unreliable',
      false,
    ],
    [
      'that did not hold before, and is in doubt',
      {},
      aFinding(0, 2, { doubtOutcome: 'unsettled', law: { ...lost, unreliable: true } }),
      'unreliable',
      false,
    ],
    [
      'that did not hold before, and got worse',
      {},
      aFinding(0, 9, { doubtOutcome: 'confirmed', law: { ...lost, unreliable: true } }),
      'regression',
      false,
    ],
    ['that was not judged', {}, aFinding(0, 0, { verdict: 'inconclusive' }), null, false],
  ] as const)('%s', (_, planned, finding, standing, unsettled) => {
    expect(standingsIn({ one: [planned as PlannedCellChanges, finding] }).of('one')).toEqual({ standing, unsettled });
  });
});

describe('a cause that one cell proves', () => {
  const proof = aFinding(0, 20, { doubtOutcome: 'confirmed', law: doubtOf({ passed: 0, total: 20 }) });
  const doubtful = (finding: Partial<Finding> & { readonly law: Law }) =>
    aFinding(0, 2, { doubtOutcome: 'unsettled', ...finding });
  const key = aPlannedCell({ path: 's/proof' }).cell.key;
  const alike = { standing: 'regression', unsettled: false, same_cause_as: key };
  const apart = { standing: 'regression', unsettled: true };

  test.each([
    ['with two failures of its kind', doubtful({ law: lost }), alike],
    ['with one failure', doubtful({ law: doubtOf({ passed: 0, total: 1 }) }), apart],
    ['of which a trial passed', doubtful({ law: doubtOf({ passed: 1, total: 3 }) }), apart],
    [
      'of which only the last run failed throughout',
      doubtful({ law: doubtOf({ passed: 1, total: 1 }, { passed: 0, total: 2 }) }),
      alike,
    ],
    ['that fails in another way', { ...doubtful({ law: lost }), class: 'truncated' as const }, apart],
  ])('stands for one %s', (_, finding, expected) => {
    expect(standingsIn({ proof: [{}, proof], one: [{}, finding] }).of('one')).toEqual(expected);
  });

  test('needs a proof', () => {
    expect(standingsIn({ other: [{}, doubtful({ law: lost })], one: [{}, doubtful({ law: lost })] }).of('one')).toEqual(
      apart,
    );
  });
});

describe('a model as a whole', () => {
  const first = (failed: number) => ({
    total: 10,
    failed: failed === 0 ? [] : [{ class: 'not_json' as const, reason: null, count: failed }],
  });
  const cases = (failed: number) =>
    Object.fromEntries(
      Array.from({ length: 4 }, (_, at): [string, Case] => [
        `c${at}`,
        [
          {
            expected: {
              kind: 'pass',
              threshold: null,
              trials: 10,
              state: { known: { passed: 40, total: 40 }, doubt: [] },
            },
          },
          aFinding(10 - failed, failed, { first: first(failed), law: law() }),
        ],
      ]),
    );

  test('is in doubt in the first run, without an alarm', () => {
    const { shared, of } = standingsIn(cases(5));
    expect(shared).toMatchObject([{ alarm: false, failed: 20, total: 40, before: { failed: 0, total: 160 } }]);
    expect(of('c0')).toEqual({ standing: 'as_expected', unsettled: false });
  });

  test('is not where nothing failed', () => {
    expect(standingsIn(cases(0)).shared).toEqual([]);
  });

  const knownAs = (state: Partial<CellState>): Expected => ({
    kind: 'pass',
    threshold: null,
    trials: 10,
    state: { known: { passed: 40, total: 40 }, doubt: [], ...state },
  });
  const others: Readonly<Record<string, Case>> = {
    doubtful: [
      { expected: knownAs({}) },
      aFinding(5, 5, { first: first(5), doubtOutcome: 'unsettled', law: doubtOf({ passed: 1, total: 3 }) }),
    ],
    fine: [{ expected: knownAs({}) }, aFinding(10, 0, { first: first(0), law: law() })],
    unreliable: [
      { expected: knownAs({ unreliable: true }) },
      aFinding(5, 5, { first: first(5), law: law({ unreliable: true }) }),
    ],
    dead: [{ expected: knownAs({}) }, aFinding(0, 10, { first: first(10), doubtOutcome: 'confirmed', law: lost })],
    failing: [known, aFinding(5, 5, { first: first(5), law: law() })],
  };

  test('is red in the second run, and so is each cell that is expected to pass and shows it', () => {
    const all = { ...cases(5), ...others };
    const names = Object.keys(all);
    const cells = names.map((name) => aPlannedCell({ path: `s/${name}`, ...all[name]![0] }));
    const findings = new Map(names.map((name, at) => [cells[at]!.cell.key, all[name]![1]]));
    const plan = aPlan(cells);
    const before = standingsOf(plan, findings, null);
    const { standings, shared } = standingsOf(plan, findings, { shared: before.shared });
    const found = { alarm: true, runs: 2, failed: 50, total: 120, before: { failed: 0, total: 240 } };
    expect(shared.get(cells[0]!.cell.model.key)).toMatchObject([found]);
    const told = names.filter((_, at) => standings.get(cells[at]!.cell.key)?.shared !== undefined);
    expect(told).toEqual(['c0', 'c1', 'c2', 'c3', 'doubtful']);
    expect(standings.get(cells[names.indexOf('doubtful')]!.cell.key)).toMatchObject({
      standing: 'regression',
      unsettled: false,
    });
  });

  test.each([
    [9, 3, 6],
    [10, 3, 10],
    [3, 3, 0],
  ])('known from %i trials, of which %i were accepted, is compared with %i', (total, trials, compared) => {
    const expected: Expected = {
      kind: 'pass',
      threshold: null,
      trials,
      state: { known: { passed: total, total }, doubt: [] },
    };
    const one: Case = [{ expected }, aFinding(5, 5, { first: first(5), law: law() })];
    const { shared } = standingsIn({ ...cases(5), one });
    expect(shared[0]!.before.total).toBe(160 + compared);
  });

  test('is weighed against as many chances as there are models and kinds of failure', () => {
    const two = { total: 10, failed: [...first(4).failed, { class: 'truncated' as const, reason: null, count: 4 }] };
    const { shared } = standingsIn({
      ...cases(5),
      two: [{ expected: knownAs({}) }, aFinding(2, 8, { first: two, law: law() })],
    });
    const [one] = standingsIn(cases(5)).shared;
    expect(shared.map(({ bound }) => 10 ** (bound - one!.bound))).toEqual([expect.closeTo(2), expect.closeTo(2)]);
  });
});
