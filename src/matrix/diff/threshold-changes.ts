import { benjaminiHochberg } from '../../stats/benjamini-hochberg.js';
import type { Count } from '../../stats/count.js';
import { leastProbabilityOfFewer, probabilityOfFewer } from '../../stats/exact-test.js';
import type { JudgedCell, Pair } from './pair.js';

export interface ThresholdChange {
  readonly cell: string;
  readonly base: number | null;
  readonly head: number | null;
  /** Whether the trials between the two values show more than luck. */
  readonly significant: boolean;
}

const falseDiscoveryRate = 0.05;

/**
 * The thresholds that a search found at another value. Where a probe passes only sometimes, a search ends at another value
 * each time; what counts is whether one side fails where the other passed.
 */
export function thresholdChangesOf(pairs: readonly Pair[], beyondLuck: ReadonlySet<string>): ThresholdChange[] {
  const changed = pairs.flatMap(({ name, base, head }) => {
    const [was, is] = [base.threshold?.value ?? null, head.threshold?.value ?? null];
    if (was === is) return [];
    const [from, to] = [Math.min(was ?? Infinity, is ?? Infinity), Math.max(was ?? Infinity, is ?? Infinity)];
    const between = ({ threshold }: typeof base) => countBetween(threshold?.curve ?? [], from, to);
    const [lower, higher] = (was ?? Infinity) < (is ?? Infinity) ? [base, head] : [head, base];
    const confirmed = isConfirmed(head, was, is);
    return [{ cell: name, base: was, head: is, confirmed, passing: between(lower), failing: between(higher) }];
  });
  const able = changed.filter(
    ({ passing, failing }) => leastProbabilityOfFewer(failing, passing) <= falseDiscoveryRate,
  );
  const significant = benjaminiHochberg(
    able.map(({ passing, failing }) => probabilityOfFewer(failing, passing)),
    falseDiscoveryRate,
  );
  const real = new Set(able.filter((_, index) => significant[index] === true).map(({ cell }) => cell));
  return changed.map(({ cell, base, head, confirmed }) => ({
    ...{ cell, base, head },
    significant: confirmed || real.has(cell) || beyondLuck.has(cell),
  }));
}

/** Whether the head run itself found, by a fresh sample, that the threshold which its baseline stores has moved this way. */
function isConfirmed({ surprise, unsettled, standing, expected }: JudgedCell, was: number | null, is: number | null) {
  if (surprise !== 'confirmed' || unsettled || was === null || expected?.threshold !== was) return false;
  return standing === (is === null || is > was ? 'regression' : 'improvement');
}

/** The trials of a search at values from the lower threshold up to, but not including, the higher one. */
function countBetween(curve: readonly (readonly [number, number, number])[], from: number, to: number): Count {
  const within = curve.filter(([x]) => x >= from && x < to);
  return {
    passed: within.reduce((sum, [, passed]) => sum + passed, 0),
    total: within.reduce((sum, [, , total]) => sum + total, 0),
  };
}
