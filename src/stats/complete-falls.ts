import type { Count } from './count.js';

/** Two samples of a cell that was asked as often as this: all of `passes` pass, and all of `failures` fail. */
export interface CompleteFall {
  readonly passes: number;
  readonly failures: number;
}

/**
 * The most that the chance of a complete fall can be if both samples have the same rate, whatever it is: the maximum of
 * rate^passes × (1 - rate)^failures. It also holds where failures made somebody ask again, since then it counts the whole row.
 * @returns a probability in (0, 1)
 */
export function chanceOfCompleteFall({ passes, failures }: CompleteFall): number {
  const rate = passes / (passes + failures);
  return rate ** passes * (1 - rate) ** failures;
}

/**
 * The chance that at least as many of independent events happen, each of which has its own chance: the upper tail of the
 * Poisson binomial distribution, one event after the other.
 * @param least from 0
 * @returns a p-value in [0, 1]
 */
export function chanceOfAtLeast(least: number, chances: readonly number[]): number {
  // By how many have happened so far; whatever reaches `least` is counted in its last place.
  const byCount = [1, ...Array.from({ length: least }, () => 0)];
  for (const chance of chances) {
    for (let count = least; count >= 0; count--) {
      const stays = (byCount[count] ?? 0) * (count === least ? 1 : 1 - chance);
      byCount[count] = stays + (count === 0 ? 0 : (byCount[count - 1] ?? 0) * chance);
    }
  }
  return Math.min(1, byCount[least] ?? 0);
}

/** The fall from one sample to another, if it is complete; otherwise undefined. */
export function completeFall(better: Count, worse: Count): CompleteFall | undefined {
  if (better.total === 0 || better.passed < better.total || worse.total === 0 || worse.passed > 0) return undefined;
  return { passes: better.total, failures: worse.total };
}
