import { probabilityOfAtLeast } from './binomial.js';
import { stateOf, type SequentialTest } from './sequential-test.js';

/** What a sequential test does at one true pass rate; probabilities and a mean, computed exactly, not sampled. */
export interface Operating {
  readonly reliable: number;
  readonly broken: number;
  /** Not decided within `max` trials. */
  readonly undecided: number;
  readonly meanTrials: number;
}

/** A probability too small to affect any result. It ends the computation of a test without a maximum. */
const negligible = 1e-14;

/**
 * Tracks, trial by trial, the probability of each number of failures at which the test is still undecided.
 * @param rate the true pass rate
 * @param max most trials; Infinity for Wald's original test, which has no maximum
 */
export function operatingCharacteristic(test: SequentialTest, rate: number, max = Infinity): Operating {
  let open: readonly number[] = [1];
  let [reliable, broken, meanTrials, undecided] = [0, 0, 0, 1];
  for (let trials = 1; trials <= max && undecided > negligible; trials++) {
    meanTrials += undecided;
    const next: number[] = new Array<number>(trials + 1).fill(0);
    undecided = 0;
    for (let failed = 0; failed <= trials; failed++) {
      const mass = (open[failed] ?? 0) * rate + (open[failed - 1] ?? 0) * (1 - rate);
      if (mass === 0) continue;
      const state = stateOf(test, trials - failed, failed);
      if (state === 'reliable') reliable += mass;
      else if (state === 'broken') broken += mass;
      else {
        next[failed] = mass;
        undecided += mass;
      }
    }
    open = next;
  }
  return { reliable, broken, undecided, meanTrials };
}

/** The trials that a test of fixed size needs to keep both errors within `test.error`. */
export function fixedSize(test: SequentialTest): number {
  for (let size = 1; ; size++) {
    for (let needed = 1; needed <= size; needed++) {
      const wronglyBroken = 1 - probabilityOfAtLeast(needed, size, test.reliable);
      if (wronglyBroken <= test.error && probabilityOfAtLeast(needed, size, test.broken) <= test.error) return size;
    }
  }
}
