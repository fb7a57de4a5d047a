import { isJudged, type JudgedVerdict } from '../cell/verdict.js';
import type { Count } from '../stats/count.js';
import { wellKnown } from '../stats/evidence.js';
import type { AcceptedCell } from './accepted-run.js';
import type { Baseline, Expected, FailsAt, TrialCounts, WayCounts } from './entries.js';
import { expectedOf } from './expected.js';
import { joined, waysByCount } from './ways-of-failing.js';

/** An accepted cell: why its line stays, or its lines of two lists; null: it has none. */
type Acceptance =
  | { readonly because: KeptBecause }
  | { readonly because: null; readonly expect: object | null; readonly threshold: object | null };

/**
 * `holds`: what the baseline says is still true. `in_doubt`: the run differs from the baseline, but its trials did not
 * settle whether that is real.
 */
export type KeptBecause = 'not_judged' | 'holds' | 'in_doubt';

type CoveredCell = Exclude<Expected, { kind: 'new' }>;
type JudgedAcceptedCell = AcceptedCell & { readonly verdict: JudgedVerdict };

/**
 * Cells that were not judged keep their lines, and so do those of which the line still holds.
 * @param named whether the user chose the cell, so that a doubt about it is settled by writing down what is known
 * @param today ISO date
 */
export function acceptCell(
  cell: AcceptedCell,
  baseline: Baseline | null,
  { named, today }: { readonly named: boolean; readonly today: string },
): Acceptance {
  if (!isJudged(cell)) return { because: 'not_judged' };
  const expected = expectedOf(baseline, cell.key);
  const result = resultOf(cell, expected);
  const because = reasonToKeep(cell, expected, result, named);
  return because === null ? { because, ...renewedCellLine(cell.key, result, baseline, today) } : { because };
}

/** Why the line of a cell stays; null: it is written anew. */
function reasonToKeep(
  cell: JudgedAcceptedCell,
  expected: Expected,
  result: AcceptedResult,
  named: boolean,
): KeptBecause | null {
  if (expected.kind === 'new') return null;
  const holds = says(expected, result) ? 'holds' : null;
  // Compared with another baseline, the standing of the cell says nothing about the line of this one.
  if (!wasExpected(cell, expected)) return holds;
  if (cell.unsettled) return named ? null : 'in_doubt';
  if (cell.standing !== 'as_expected' || !mayStandAs(cell, expected)) return holds;
  // One that passes does so at least 95 times in 100: what it failed since is what that allows.
  const isNews = expected.kind === 'entry' && expected.entry.verdict === 'fail' && result.verdict === 'flaky';
  return named && isNews ? null : 'holds';
}

/** Whether the run was compared with what the baseline says today. */
function wasExpected({ expected: then, standing }: JudgedAcceptedCell, now: CoveredCell): boolean {
  if (then === null || standing === 'new') return false;
  if (then === undefined) return true;
  const line = now.kind === 'pass' ? { ...passes, threshold: now.threshold } : now.entry;
  return [...comparedResultFields, 'threshold' as const].every((member) => then[member] === line[member]);
}

/** Whether the line already says what would be written. */
function says(expected: CoveredCell, result: AcceptedResult): boolean {
  if (expected.kind === 'entry') {
    return comparedResultFields.every((member) => expected.entry[member] === result[member]);
  }
  return result.verdict === 'pass' && (result.threshold === null || result.threshold === expected.threshold);
}

const comparedResultFields = ['verdict', 'class', 'reason', 'status', 'passed', 'total'] as const;
const passes = { verdict: 'pass', class: null, reason: null, status: null, passed: null, total: null } as const;

/** A cell that stands as expected may still have a threshold that is not stored yet. */
function mayStandAs({ verdict, threshold }: JudgedAcceptedCell, expected: CoveredCell): boolean {
  if (expected.kind === 'entry') return true;
  return verdict === 'pass' ? (threshold?.value ?? null) === null || expected.threshold !== null : verdict === 'flaky';
}

function renewedCellLine(
  key: string,
  { verdict, trials, ...result }: AcceptedResult,
  baseline: Baseline | null,
  date: string,
) {
  const isOfCell = (one: { readonly key: string }): boolean => one.key === key;
  const { note, link } = baseline?.expect.find(isOfCell) ?? baseline?.thresholds?.find(isOfCell) ?? {};
  const { threshold, fails_at, ways, ...counted } = result;
  if (verdict === 'pass') {
    const stored = threshold === null ? null : withoutNull({ key, value: threshold, fails_at, date, note, link });
    return { expect: null, threshold: stored };
  }
  const provisional = trials < wellKnown ? true : null;
  const line = { key, verdict, ...counted, ways, threshold, fails_at, date, provisional, note, link };
  return { expect: withoutNull(line), threshold: null };
}

/** The members that have a value, in reading order. */
const withoutNull = (line: object): object =>
  Object.fromEntries(Object.entries(line).filter(([, value]) => value !== null && value !== undefined));

type AcceptedResult = ReturnType<typeof resultOf>;

/**
 * The result of a run for a cell. Of a change, only the trials that show it count; otherwise, all that is known of it.
 * @param expected by today's baseline
 */
function resultOf(cell: JudgedAcceptedCell, expected: Expected) {
  const found = cell.threshold?.value ?? null;
  const threshold = found ?? (cell.unsettled ? (cell.expected?.threshold ?? null) : null);
  const { passed, total, ways = {} } = acceptedCount(cell);
  const verdict = cellHasRate(cell) ? verdictOfCount({ passed, total }) : cell.verdict;
  // A cell that passed in this run failed in an earlier one.
  const failure = cell.class === null ? (cell.expected ?? cell) : cell;
  const { class: outcome, reason, status } = verdict === 'pass' ? noFailureFields : failure;
  // One that always fails is known from the trials of its cover.
  const hasCounts = verdict === 'flaky' || outcome === 'not_enforced';
  return {
    // A flaky cell is compared by its rate, and a status of 200 would say nothing.
    verdict,
    class: outcome,
    reason,
    status: verdict === 'flaky' && outcome !== 'http_error' ? null : status,
    ...(hasCounts ? { passed, total } : { passed: null, total: null }),
    threshold,
    fails_at: edgeOf(threshold, cell.threshold, expected),
    trials: total,
    ways: verdict !== 'pass' && Object.keys(ways).length > 1 ? sortedWays(ways) : null,
  };
}

const noFailureFields = { class: null, reason: null, status: null };

/** A threshold speaks of one value, and a keyword is enforced or not. */
const cellHasRate = ({ threshold, enforcement = null }: JudgedAcceptedCell): boolean =>
  threshold === null && enforcement === null;

/** Most frequent first. */
const sortedWays = (ways: WayCounts): WayCounts => Object.fromEntries(waysByCount(ways));

/** The accepted run and the nights since the last alarm; of an alarm, the trials that show it. */
function acceptedCount(cell: JudgedAcceptedCell): TrialCounts {
  const { trials, evidence = null, standing, unsettled } = cell;
  if (!cellHasRate(cell) || evidence === null) return trials;
  const [passed, total] = evidence.known;
  const known = evidence.ways === undefined ? { passed, total } : { passed, total, ways: evidence.ways };
  const isAlarm = standing !== 'as_expected' && standing !== 'unreliable' && !unsettled;
  if (!isAlarm) return joined([known, ...evidence.doubt]);
  return evidence.doubt.length === 0 ? trials : joined(evidence.doubt);
}

function verdictOfCount({ passed, total }: Count): JudgedVerdict {
  if (passed === total) return 'pass';
  return passed === 0 ? 'fail' : 'flaky';
}

/**
 * Where the probe fails outright, if that is not just below the threshold. A re-check of a stored one did not look for
 * it.
 */
function edgeOf(value: number | null, found: JudgedAcceptedCell['threshold'], expected: Expected): FailsAt | undefined {
  if (value === null || found?.largest === true) return undefined;
  const stored = storedIn(expected);
  if (value === stored.value) return stored.failsAt;
  const below = (found?.curve ?? []).filter(([x]) => x < value);
  // Where none passes, the value just below fails as well.
  return below.some(([, passed]) => passed > 0) ? failsOutrightAt(below) : undefined;
}

/** Fewer failures may be chance at a value that passes in most trials. */
const enoughFailures = 3;

/** Where nothing passes does not pass below either, so the failures at larger values count as well. */
function failsOutrightAt(below: readonly (readonly [number, number, number])[]): FailsAt {
  let failures = 0;
  for (const [x, , total] of below.filter(([, passed]) => passed === 0).reverse()) {
    failures += total;
    if (failures >= enoughFailures) return x;
  }
  return 'none';
}

function storedIn(expected: Expected): { readonly value: number | null; readonly failsAt?: FailsAt | undefined } {
  if (expected.kind === 'new') return { value: null };
  if (expected.kind === 'entry') return { value: expected.entry.threshold, failsAt: expected.entry.fails_at };
  return { value: expected.threshold, failsAt: expected.failsAt };
}
