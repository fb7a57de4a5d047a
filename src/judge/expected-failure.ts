import type { Expectation } from './expectation.js';
import type { Outcome } from './outcome.js';

/**
 * A 5xx that came again while a control right after it succeeded belongs to the request: the same outcome, as a
 * finding. With the expectation at hand it passes where just that was expected. Anything else stays what it is.
 */
export function asFinding(outcome: Outcome, expectation: Expectation | null = null): Outcome {
  const isServerError = outcome.class === 'http_error' && outcome.status !== null && outcome.status >= 500;
  if (!isServerError) return outcome;
  const finding = { ...outcome, fault: false };
  return expectation === null ? finding : settle(finding, expectation);
}

/** Turns what the ladder found around where the suite expects a refusal or a certain failure. */
export function settle(outcome: Outcome, expectation: Expectation): Outcome {
  const { rejected, outcome: expected } = expectation;
  if (rejected !== null && isThatRefusal(outcome, rejected)) return passing(outcome);
  if (expected !== null) return settleOutcome(outcome, expected);
  if (rejected?.only !== true || !outcome.passed) return outcome;
  return failing(outcome, 'accepted although a refusal was expected', 'ineffective');
}

function isThatRefusal(outcome: Outcome, rejected: NonNullable<Expectation['rejected']>): boolean {
  if (outcome.class !== 'http_error' || outcome.status === null) return false;
  const { status, reason } = rejected;
  // Unless it was named, trouble of the account or of the moment is not the refusal that was meant.
  if (status === null && reason === null) return !outcome.fault;
  return (status === null || status.includes(outcome.status)) && (reason === null || reason === outcome.reason);
}

function settleOutcome(outcome: Outcome, expected: NonNullable<Expectation['outcome']>): Outcome {
  if (outcome.class === expected) return outcome.fault && expected !== 'transport' ? outcome : passing(outcome);
  if (!outcome.passed) return outcome;
  const about = expected === 'truncated' || expected === 'filtered' || expected === 'unexpected_finish_reason';
  const detail = `expected ${expected}, but the answer passed every check`;
  return failing(outcome, detail, about ? 'unexpected_finish_reason' : 'ineffective');
}

/** The rung stays what the answer reached. */
function passing(outcome: Outcome): Outcome {
  return { ...outcome, passed: true, fault: false, class: null, reason: null, violations: [] };
}

function failing(outcome: Outcome, detail: string, as: NonNullable<Outcome['class']>): Outcome {
  return { ...outcome, passed: false, class: as, detail };
}
