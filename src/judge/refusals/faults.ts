import type { Reason } from '../outcome.js';

const faultReasons: ReadonlySet<Reason> = new Set<Reason>(['auth', 'quota', 'rate_limited', 'overloaded']);

/** Reasons that say nothing about the model: the account's, or the moment's. */
export function isFaultReason(reason: Reason): boolean {
  return faultReasons.has(reason);
}
