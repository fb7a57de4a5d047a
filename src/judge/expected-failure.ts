import type { Expectation } from './expectation.js';
import type { Outcome } from './outcome.js';

/**
 * The outcome of a 5xx that repeats while a control right after it succeeds: no longer a fault, since the request causes
 * it. Given the expectation, it passes where exactly that was expected. Every other outcome is returned unchanged.
 */
export function asFinding(outcome: Outcome, expectation: Expectation | null = null): Outcome {
  const isServerError = outcome.class === 'http_error' && outcome.status !== null && outcome.status >= 500;
  if (!isServerError) return outcome;
  const finding = { ...outcome, fault: false };
  return expectation === null ? finding : settle(finding, expectation);
}

/** Inverts what the ladder found where the suite expects a refusal or a certain failure. */
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
  // Unless the suite names it, a problem of the account or the moment is not the refusal that it means.
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

/** Keeps the rung that the answer reached. */
function passing(outcome: Outcome): Outcome {
  return { ...outcome, passed: true, fault: false, class: null, reason: null, violations: [] };
}

function failing(outcome: Outcome, detail: string, as: NonNullable<Outcome['class']>): Outcome {
  return { ...outcome, passed: false, class: as, detail };
}
