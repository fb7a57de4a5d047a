import type { Governor } from '../limits/governor.js';
import type { RateWindow } from '../limits/rate-window.js';
import type { SharedLoad, Workload } from './workload.js';

/** What decides when a model is asked. */
interface Standing {
  /** Its opening control. */
  readonly opening: 'none' | 'waiting' | 'sent';
  readonly workload: Workload;
  readonly governor: Governor;
  readonly target: { readonly window: RateWindow; readonly load: SharedLoad };
}

/**
 * Whose request is sent next on an account: the model's that would end last, so that no model is left over while the slots
 * of others are free. How long a model takes is known only once it has answered, so opening controls go before everything.
 *
 * Where the minute is what takes time, slots are free anyway. Then each minute begins as quickly as its first requests
 * are answered, as those of the next minute can follow no sooner, and the slow models fill the wait.
 */
export function rankOf({ opening, workload, governor, target }: Standing): number {
  if (opening !== 'sent') return Infinity;
  switch (target.window.phase(target.load.requests)) {
    case 'last':
      return workload.left(governor.room());
    case 'opening':
      return -workload.each();
    case 'rest':
      return workload.each();
  }
}
