import type { Count } from '../../stats/count.js';
import type { Pair } from './pair.js';

export interface ThresholdChange {
  readonly cell: string;
  readonly base: number | null;
  readonly head: number | null;
  /** One side passed in every trial between the two values, and the other in none of several. */
  readonly significant: boolean;
}

/** The thresholds that a search found at another value: where a probe passes only sometimes, it ends at another one each time. */
export function thresholdChangesOf(pairs: readonly Pair[], lostOrGained: ReadonlySet<string>): ThresholdChange[] {
  return pairs.flatMap(({ name, base, head }) => {
    const [was, is] = [base.threshold?.value ?? null, head.threshold?.value ?? null];
    if (was === is) return [];
    const [from, to] = [Math.min(was ?? Infinity, is ?? Infinity), Math.max(was ?? Infinity, is ?? Infinity)];
    const between = ({ threshold }: typeof base) => countBetween(threshold?.curve ?? [], from, to);
    const [lower, higher] = (was ?? Infinity) < (is ?? Infinity) ? [base, head] : [head, base];
    const [passing, failing] = [between(lower), between(higher)];
    const isTotal = passing.total > 0 && passing.passed === passing.total && failing.total > 1 && failing.passed === 0;
    return [{ cell: name, base: was, head: is, significant: isTotal || lostOrGained.has(name) }];
  });
}

/** The trials of a search at values from the lower threshold up to, but not including, the higher one. */
function countBetween(curve: readonly (readonly [number, number, number])[], from: number, to: number): Count {
  const within = curve.filter(([x]) => x >= from && x < to);
  return {
    passed: within.reduce((sum, [, passed]) => sum + passed, 0),
    total: within.reduce((sum, [, , total]) => sum + total, 0),
  };
}
