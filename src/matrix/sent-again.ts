import { sum } from '../stats/sum.js';
import { sumOf, type Count } from '../stats/count.js';
import type { Gathered } from './gathered.js';

/** Judged trials, and how many of those that passed did so only when their request was sent again. */
export interface SentAgain extends Count {
  readonly passed_again?: number;
}

/** Fewer happen in any bad moment. */
const fewest = 3;

/**
 * "30 of 51 trials passed only when sent again": a client that does not retry sees them fail. null where that is true of
 * few trials, or of less than half of those that passed.
 */
export function sentAgainText(counts: readonly SentAgain[]): string | null {
  const again = sum(counts.map(({ passed_again: one = 0 }) => one));
  const { passed, total } = sumOf(counts);
  if (again < fewest || again * 2 <= passed) return null;
  return `${again.toLocaleString('en')} of ${total.toLocaleString('en')} trials passed only when sent again`;
}

/** The same as what a client must know; none where there is nothing to say. */
export function sentAgainCaveats(counts: readonly SentAgain[]): string[] {
  const text = sentAgainText(counts);
  return text === null ? [] : [`${text}: retry as well`];
}

/** Of one cell: no more than passed. */
export function sentAgainOf(key: string, { cells }: Pick<Gathered, 'cells'>): Pick<SentAgain, 'passed_again'> {
  const seen = cells.get(key);
  const again = Math.min(seen?.passedAgain ?? 0, seen?.finding?.trials.passed ?? 0);
  return again === 0 ? {} : { passed_again: again };
}
