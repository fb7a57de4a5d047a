import type { Reason } from '../outcome.js';

const faultReasons: ReadonlySet<Reason> = new Set<Reason>(['auth', 'quota', 'rate_limited', 'overloaded']);

const finalReasons: ReadonlySet<Reason> = new Set<Reason>(['auth', 'quota']);

/** Reasons that say nothing about the model: the account's, or the moment's. */
export function isFaultReason(reason: Reason | null): boolean {
  return reason !== null && faultReasons.has(reason);
}

/** Faults that stay: asking again with the same key and the same bill gives the same answer. */
export function isFinalReason(reason: Reason | null): boolean {
  return reason !== null && finalReasons.has(reason);
}
