import type { JudgeContext } from './context.js';
import type { Expectation } from './expectation.js';
import type { Outcome } from './outcome.js';
import { whereTokensWent } from './rungs/finish-reason.js';

/**
 * The outcome of a 5xx that repeats although a control right after it succeeds. Since the request causes it, it is no
 * longer a fault; given the expectation, it passes if that very failure was expected. Any other outcome is returned
 * unchanged.
 */
export function serverErrorAsFailure(outcome: Outcome, expectation: Expectation | null = null): Outcome {
  const isServerError = outcome.class === 'http_error' && outcome.status !== null && outcome.status >= 500;
  if (!isServerError) return outcome;
  const failure = { ...outcome, fault: false };
  return expectation === null ? failure : applyExpectedFailure(failure, expectation, null);
}

/**
 * Lets an expected refusal or failure pass, and fails an answer that should have failed but did not.
 * @param context of the answer; null where there is none at hand, as of an error
 */
export function applyExpectedFailure(
  outcome: Outcome,
  expectation: Expectation,
  context: JudgeContext | null,
): Outcome {
  const { rejected, outcome: expected } = expectation;
  if (rejected !== null && isExpectedRefusal(outcome, rejected)) return passed(outcome);
  if (expected !== null) return requireOutcome(outcome, expected, context);
  if (rejected?.only !== true || !outcome.passed) return outcome;
  return failed(outcome, 'accepted although a refusal was expected', 'ineffective');
}

function isExpectedRefusal(outcome: Outcome, rejected: NonNullable<Expectation['rejected']>): boolean {
  if (outcome.class !== 'http_error' || outcome.status === null) return false;
  const { status, reason } = rejected;
  // A refusal that is temporary or concerns the account is only expected if the suite names it.
  if (status === null && reason === null) return !outcome.fault;
  return (status === null || status.includes(outcome.status)) && (reason === null || reason === outcome.reason);
}

function requireOutcome(
  outcome: Outcome,
  expected: NonNullable<Expectation['outcome']>,
  context: JudgeContext | null,
): Outcome {
  if (outcome.class === expected) return outcome.fault && expected !== 'transport' ? outcome : passed(outcome);
  if (!outcome.passed) return outcome;
  const isAboutEnding = expected === 'truncated' || expected === 'filtered' || expected === 'unexpected_finish_reason';
  const tokens = expected === 'truncated' && context !== null ? whereTokensWent(context) : null;
  const detail = `expected ${expected}, but the answer passed every check${tokens === null ? '' : ` (${tokens})`}`;
  return failed(outcome, detail, isAboutEnding ? 'unexpected_finish_reason' : 'ineffective');
}

/** Keeps the rung that the answer reached. */
function passed(outcome: Outcome): Outcome {
  return { ...outcome, passed: true, fault: false, class: null, reason: null, violations: [] };
}

function failed(outcome: Outcome, detail: string, as: NonNullable<Outcome['class']>): Outcome {
  return { ...outcome, passed: false, class: as, detail };
}
