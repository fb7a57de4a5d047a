import type { JudgedVerdict } from '../cell/verdict.js';
import type { AcceptedCell } from './accepted-run.js';
import type { BaselineEntry, Expected, FailsAt } from './entries.js';
import { type Count, sumOf } from '../stats/count.js';

/** What a line about a cell would say. */
export interface AcceptedResult extends Pick<BaselineEntry, 'class' | 'reason' | 'status' | 'passed' | 'total'> {
  readonly verdict: JudgedVerdict;
  readonly threshold: number | null;
  readonly fails_at?: FailsAt;
  /** How many trials it rests on. */
  readonly trials: number;
}

type Judged = AcceptedCell & { readonly verdict: JudgedVerdict };

/**
 * What a run says of a cell. Of a change, only the trials that show it count; otherwise, all that is known of it.
 * @param expected by today's baseline
 */
export function resultOf(cell: Judged, expected: Expected): AcceptedResult {
  const found = cell.threshold?.value ?? null;
  const threshold = found ?? (cell.unsettled ? (cell.expected?.threshold ?? null) : null);
  const counted = countsOf(cell);
  const verdict = hasRate(cell) ? verdictOf(counted) : cell.verdict;
  // A cell that passed in this run failed in an earlier one.
  const failure = cell.class === null ? (cell.expected ?? cell) : cell;
  const { class: outcome, reason, status } = verdict === 'pass' ? nothing : failure;
  // One that always fails is known from the trials of its cover.
  const hasCounts = verdict === 'flaky' || outcome === 'not_enforced';
  return {
    // A flaky cell is compared by its rate, and a status of 200 would say nothing.
    ...{ verdict, class: outcome, reason, status: verdict === 'flaky' && outcome !== 'http_error' ? null : status },
    ...(hasCounts ? { passed: counted.passed, total: counted.total } : { passed: null, total: null }),
    ...{ threshold, ...edgeOf(threshold, cell.threshold, expected), trials: counted.total },
  };
}

const nothing = { class: null, reason: null, status: null };

/** A threshold speaks of one value, and a keyword is enforced or not. */
const hasRate = ({ threshold, enforcement = null }: Judged): boolean => threshold === null && enforcement === null;

function countsOf(cell: Judged): Count {
  const { trials, known = null, doubt = null, standing, unsettled } = cell;
  if (!hasRate(cell) || known === null) return trials;
  if (standing !== 'as_expected' && !unsettled) return doubt ?? trials;
  return sumOf([known, doubt ?? { passed: 0, total: 0 }]);
}

function verdictOf({ passed, total }: Count): JudgedVerdict {
  return passed === total ? 'pass' : passed === 0 ? 'fail' : 'flaky';
}

/** Where the probe fails outright, if that is not just below the threshold. A re-check of a stored one did not look for it. */
function edgeOf(
  value: number | null,
  found: Judged['threshold'],
  expected: Expected,
): Pick<AcceptedResult, 'fails_at'> {
  if (value === null) return {};
  const stored = storedIn(expected);
  if (value === stored.value) return stored.failsAt === undefined ? {} : { fails_at: stored.failsAt };
  const below = (found?.curve ?? []).filter(([x]) => x < value);
  // Not the last one that fails: values that pass nearly always may lie between that and the threshold.
  const passing = below.findLastIndex(([, passed]) => passed > 0);
  const failures = below.slice(passing + 1).reduce((sum, [, , total]) => sum + total, 0);
  // One text that failed just below says little where smaller values pass.
  if (passing === -1 || failures >= enoughFailures) return {};
  return { fails_at: failsOutrightAt(below) };
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
