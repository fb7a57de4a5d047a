import type { Answer } from '../../chat/exchange.js';

/** Whether nothing of the model came back: no complete answer, or a 5xx, whatever the cause. */
export function isFailure({ status, failure }: Answer): boolean {
  if (failure !== null)
    return failure.kind !== 'interrupted' && failure.kind !== 'redirect' && failure.kind !== 'too_large';
  return status === null || status >= 500;
}
