import type { JudgedVerdict } from '../cell/verdict.js';
import type { AcceptedCell, ExpectedThen } from './accepted-run.js';
import type { BaselineEntry, Expected, FailsAt } from './entries.js';
import type { Count } from '../stats/count.js';

/** What a line about a cell would say. */
export interface AcceptedResult extends Pick<BaselineEntry, 'class' | 'reason' | 'status' | 'passed' | 'total'> {
  readonly verdict: JudgedVerdict;
  readonly threshold: number | null;
  readonly fails_at?: FailsAt;
  /** How many trials it rests on. */
  readonly trials: number;
}

type Judged = AcceptedCell & { readonly verdict: JudgedVerdict };
type Then = ExpectedThen | null;

/**
 * What a run says of a cell, together with what was known of it: a cell that has both passed and failed is flaky. Depends
 * on the report alone as long as that says what was expected, so that a run accepted twice gives the same lines.
 * @param expected by today's baseline, for reports that do not say
 */
export function resultOf(cell: Judged, expected: Expected): AcceptedResult {
  const then = cell.expected === undefined ? thenOf(expected) : cell.expected;
  const pooled = pooledOf(cell, then);
  const found = cell.threshold?.value ?? null;
  const threshold = found ?? (cell.unsettled ? (then?.threshold ?? null) : null);
  const edge = edgeOf(threshold, cell.threshold, expected);
  if (pooled === null) {
    const { verdict, class: outcome, reason, status, trials } = cell;
    const { passed, total } = outcome === 'not_enforced' ? keptOf(cell) : { passed: null, total: null };
    return {
      verdict,
      class: outcome,
      reason,
      status,
      passed,
      total,
      threshold,
      ...edge,
      trials: total ?? trials.total,
    };
  }
  // A cell that passed in this run failed in an earlier one.
  const failure = cell.class === null && then !== null ? then : cell;
  return {
    ...{ verdict: 'flaky', class: failure.class, reason: failure.reason },
    // A flaky cell is compared by its rate, and a status of 200 would say nothing.
    status: failure.class === 'http_error' ? failure.status : null,
    ...{ passed: pooled.passed, total: pooled.total, threshold, ...edge, trials: pooled.total },
  };
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

/** The counts of a cell that has both passed and failed; null: it has not, as far as anybody knows. */
function pooledOf({ verdict, class: outcome, trials, known, unsettled }: Judged, then: Then): Count | null {
  if (verdict === 'flaky') return known ?? trials;
  if (verdict === 'pass' && known !== undefined && then?.verdict === 'pass') {
    return known.passed < known.total ? known : null;
  }
  // One reply that breaks the schema is proof.
  if (verdict === 'fail' && outcome === 'not_enforced') return null;
  // Without a doubt, what the run saw is what it is now. A failure of another kind is a failure all the same.
  if (!unsettled || then === null || then.verdict === verdict) return null;
  // One earlier trial is enough to say that the other result has been seen. Counting all of them would set a rate that
  // the next run contradicts if the cell did change.
  return { passed: verdict === 'pass' ? trials.passed : 1, total: trials.total + 1 };
}

/** Some replies keep to a keyword that is not enforced: how many is what a later run compares its own with. */
function keptOf({ trials, known, unsettled }: Judged): Count {
  return unsettled && known !== undefined ? known : trials;
}

function thenOf(expected: Expected): Then {
  switch (expected.kind) {
    case 'new':
      return null;
    case 'pass':
      return {
        ...{ verdict: 'pass', class: null, reason: null, status: null, passed: null, total: null },
        threshold: expected.threshold,
      };
    case 'entry':
      return expected.entry;
  }
}
