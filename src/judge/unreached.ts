import type { Outcome } from './outcome.js';

/** What came of the plain request to a model that gives no usable answer; a service that answers was reached. */
export function unreachedWords({ status, reason }: Pick<Outcome, 'status' | 'reason'>): string {
  if (status === null) return 'cannot be reached';
  if (reason === 'model_not_found') return 'is unknown to the service';
  return status < 300 ? 'gives no usable answer to a plain request' : 'does not answer a plain request';
}
