import { splitAtModel, cellKey, withoutPoint } from '../cell/cell-key.js';
import { compilePattern } from '../cell/cell-pattern.js';
import type { JudgedVerdict } from '../cell/verdict.js';
import { groupBy } from '../json/group-by.js';
import type { Outcome } from '../judge/outcome.js';
import { wellKnown } from '../stats/evidence.js';
import type { Baseline, BaselineEntry, Expected, Cover, CellMemory, CellState, TrialCounts } from './entries.js';
import { isWayOf, wayOf, waysOfEntry } from './ways-of-failing.js';

const indexes = new WeakMap<Baseline, ReturnType<typeof indexed>>();

/**
 * The expectation of the baseline for a cell. An entry counts even if no pattern of `covers` matches it, since whoever
 * wrote it has accepted the cell. Without a baseline every cell is new.
 * @param itself the cell is not asked in every run, so that the line of its probe says nothing of it
 */
export function expectedOf(baseline: Baseline | null, key: string, itself = false): Expected {
  if (baseline === null) return { kind: 'new' };
  const index = indexes.get(baseline) ?? indexed(baseline);
  indexes.set(baseline, index);
  const { entries, thresholds, trialsOf } = index;
  const covered = trialsOf(key, itself);
  const entry = entries.get(key);
  if (entry !== undefined) return { kind: 'entry', entry, ...trialsField(trialsOfEntry(entry, covered)) };
  const stored = thresholds.get(key);
  if (stored === undefined && covered === undefined) return { kind: 'new' };
  const failsAt = stored?.fails_at === undefined ? {} : { failsAt: stored.fails_at };
  return { kind: 'pass', threshold: stored?.value ?? null, ...failsAt, ...trialsField(covered) };
}

function trialsField(trials: number | null | undefined): { readonly trials?: number } {
  return trials === null || trials === undefined ? {} : { trials };
}

/** A provisional entry that does not count its trials rests on those of its cover, or else on at least one. */
function trialsOfEntry({ total, provisional }: BaselineEntry, covered: number | null | undefined): number | null {
  return total ?? (provisional ? (covered ?? 1) : null);
}

/**
 * A test for the models that the baseline names, by the key `TARGET/MODEL`: all whose id stands in an entry, a
 * threshold, `wire` or `covers`. Any other model is new. A pattern such as `*@demo/*` names no model: it matches
 * misspelt ids as well.
 */
export function modelsNamedBy(baseline: Baseline | null): (model: string) => boolean {
  if (baseline === null) return () => false;
  const { covers, wire = [], expect, thresholds = [] } = baseline;
  const keys = [...covers.map(({ cells }) => cells), ...[...expect, ...thresholds].map(({ key }) => key)];
  const named = new Set([...keys.map((key) => splitAtModel(key).model), ...wire.map(({ model }) => model)]);
  return (model) => named.has(model);
}

const indexed = ({ covers, expect, thresholds = [] }: Baseline) => ({
  entries: new Map(expect.map((entry) => [entry.key, entry])),
  thresholds: new Map(thresholds.map((stored) => [stored.key, stored])),
  trialsOf: indexCovers(covers),
});

/** Whether a failure is one that the entry names. Members that the entry leaves out are not compared. */
export function failsAsKnown(entry: BaselineEntry, failure: Pick<Outcome, 'class' | 'reason' | 'status'>): boolean {
  const way = wayOf(failure);
  return isWayOf(wayOf(entry), way) || Object.keys(entry.ways ?? {}).some((known) => isWayOf(known, way));
}

/**
 * From how many trials a cell is known; null: covered, but not stated; undefined: not covered.
 * @param itself the line of its probe, which an accepted run writes, does not count: the cell is asked only in some
 * runs
 */
type CoverIndex = (key: string, itself?: boolean) => number | null | undefined;

/**
 * Finds the entries of `covers` that match a cell, among those of its model. The largest number counts: each is a lower
 * bound.
 */
export function indexCovers(covers: readonly Cover[]): CoverIndex {
  const all = covers.map(({ cells, trials }) => ({
    cells,
    trials,
    test: compilePattern(cells),
    model: splitAtModel(cells).model ?? '*',
  }));
  const open = all.filter(({ model }) => model.includes('*'));
  const byModel = groupBy(all, ({ model }) => model);
  return (key, itself = false) => {
    const { head, model } = splitAtModel(key);
    const line = cellKey(withoutPoint(head), [], model ?? '');
    const known = [...open, ...(byModel.get(model ?? '') ?? [])]
      .filter(({ cells, test }) => !(itself && cells === line && line !== key) && test(key))
      .map(({ trials }) => trials);
    if (known.length === 0) return undefined;
    return known.reduce((one, other) => (one === null || other === null ? null : Math.max(one, other)));
  };
}

export type CoveredCell = Exclude<Expected, { kind: 'new' }>;

/** The entry of a line; for a cell that passes, with its number of trials and its lowest value. */
type Line = Pick<BaselineEntry, 'class' | 'reason' | 'status' | 'passed' | 'threshold'> & {
  readonly verdict: JudgedVerdict;
  readonly date: string | null;
  readonly trials?: number;
};

/** The line of the baseline from which the trials of a cell are counted. */
export function nameOfLine(of: Line | CoveredCell): string {
  const {
    verdict,
    class: outcome,
    reason,
    status,
    passed,
    threshold,
    date,
    trials,
  } = 'kind' in of ? expectedLine(of) : of;
  return [verdict, outcome, reason, status, passed, threshold, trials, date].map((part) => part ?? '-').join(', ');
}

function expectedLine(expected: CoveredCell): Line {
  const trials = expected.trials === undefined ? {} : { trials: expected.trials };
  if (expected.kind === 'entry') return { ...expected.entry, ...trials };
  const none = { class: null, reason: null, status: null, passed: null, date: null };
  return { ...none, verdict: 'pass', threshold: expected.threshold, ...trials };
}

/** Trials of a cell that the baseline alone knows. An entry without a number of trials is vouched for by its author. */
function acceptedTrials(expected: CoveredCell): TrialCounts {
  if (expected.kind === 'pass') {
    const total = expected.trials ?? wellKnown;
    return { passed: total, total };
  }
  const { entry, trials = wellKnown } = expected;
  const { passed, total } = entry;
  const isCounted = passed !== null && total !== null && total > 0;
  // Without counts, a rate is compared with nothing.
  const uncounted = { passed: 0, total: entry.verdict === 'flaky' ? 0 : trials };
  const count = isCounted ? { passed, total } : uncounted;
  return count.passed === count.total ? count : { ...count, ways: waysOfEntry(entry, count) };
}

/** All that is known of a cell, and its open doubt. */
export function cellStateOf(expected: CoveredCell): CellState {
  return expected.state ?? { known: acceptedTrials(expected), doubt: [] };
}

/**
 * The same with what earlier runs learned, if that belongs to the same line of the baseline. An older version counted
 * no ways of failing: to it, every failure would be a new one.
 */
export function withMemory(expected: Expected, memory: CellMemory | undefined): Expected {
  if (expected.kind === 'new' || memory === undefined || memory.since !== nameOfLine(expected)) return expected;
  const { passed, total, ways } = memory.known;
  return passed < total && ways === undefined ? expected : { ...expected, state: memory };
}
