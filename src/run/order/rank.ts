import type { Governor } from '../limits/governor.js';
import type { Minutes } from './minutes.js';
import type { Workload } from './workload.js';

/** What decides when a model is asked. */
interface Standing {
  /** Its opening control. */
  readonly opening: 'none' | 'waiting' | 'sent';
  readonly workload: Workload;
  readonly governor: Governor;
}

/**
 * Whose request is sent next on an account: the model's that would end last, so that no model is left over while the slots
 * of others are free. How long a model takes is known only once it has answered, so opening controls go before everything.
 * Where the minute is what takes time, slots are free anyway, and each model keeps to a timetable.
 */
export function rankOf<Model extends Standing>(model: Model, minutes: Minutes<Model>): number {
  if (model.opening !== 'sent') return Infinity;
  return minutes.rank(model) ?? model.workload.left(model.governor.room());
}
