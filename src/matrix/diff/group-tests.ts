import { chanceOfAtLeast, chanceOfCompleteFall, completeFall } from '../../stats/complete-falls.js';
import { type Count, sumOf } from '../../stats/count.js';
import { leastProbabilityOfFewer, probabilityOfFewer } from '../../stats/exact-test.js';
import { boundOfFewer, type Stratum } from '../../stats/stratified-test.js';
import type { Group } from './groups.js';
import { bothSides, comparedCounts, countOf, countSameThing, type Direction, type Pair, rateOf } from './pair.js';

export interface GroupTest {
  readonly p: number;
  /** The smallest p-value that as many passes could have. */
  readonly least: number;
  /** Whether at least half of what passed on the better side fails on the other. */
  readonly together: boolean;
}

/**
 * An exact test of the cells, each of which counts once, however often it was asked: some are asked again because they
 * failed. One that passed only in part counts against a change. The test stays valid where the rates of the cells differ,
 * since each is on both sides.
 */
export function testOfVerdicts({ pairs }: Group, direction: Direction): GroupTest {
  const sides = pairs.map((pair) => bothSides(pair, direction));
  const total = pairs.length;
  const better = { passed: sides.filter((one) => one.better.verdict === 'pass').length, total };
  const worse = { passed: sides.filter((one) => one.worse.verdict !== 'fail').length, total };
  return {
    p: probabilityOfFewer(worse, better),
    least: leastProbabilityOfFewer(worse, better),
    together: worse.passed <= better.passed / 2,
  };
}

/**
 * Whether too many cells fell from all to none for chance, where chance makes the most of every cell: whatever its rate,
 * it cannot pass in each trial of one side and then in none of the other more often than that. This counts the rows of
 * failures, which the exact test of the verdicts leaves out, so that a form of few cells needs no more trials.
 */
export function testOfFalls({ pairs }: Group, direction: Direction): GroupTest {
  const cells = pairs.map((pair) => {
    const { better, worse } = bothSides(pair, direction);
    const fell = countSameThing(pair) ? completeFall(countOf(better), countOf(worse)) : undefined;
    const passed = better.verdict === 'pass';
    // Of one that did not fall, it is not known how often it would have been asked: once at the least.
    const passes = passed ? better.trials.total : 1;
    return { fell: fell !== undefined, passed, chance: chanceOfCompleteFall(fell ?? { passes, failures: 1 }) };
  });
  const chances = cells.map(({ chance }) => chance);
  const fallen = cells.filter(({ fell }) => fell).length;
  return {
    p: chanceOfAtLeast(fallen, chances),
    least: chanceOfAtLeast(cells.length, chances),
    together: fallen >= cells.filter(({ passed }) => passed).length / 2,
  };
}

/**
 * The first trials of all cells, each compared with itself, so that a form which fails a little everywhere is seen although no
 * cell shows it. It holds where both sides were asked in the same way: a run that asks again where a trial failed sees
 * other rates than one that does not.
 */
export function testOfRates({ pairs }: Pick<Group, 'pairs'>, direction: Direction): GroupTest {
  const strata = pairs.filter(countSameThing).map((pair) => stratumOf(pair, direction));
  return {
    p: boundOfFewer(strata),
    least: strata.reduce((product, { fresh, baseline }) => product * leastProbabilityOfFewer(fresh, baseline), 1),
    together: true,
  };
}

function stratumOf(pair: Pair, direction: Direction): Stratum {
  const { better, worse } = bothSides(pair, direction);
  const [baseline, fresh] = comparedCounts(better, worse);
  return { fresh, baseline };
}

/** The cells of a group that passed on the better side and fail on the other. */
export function fallenIn({ pairs }: Group, direction: Direction): readonly Pair[] {
  return pairs.filter((pair) => {
    const { better, worse } = bothSides(pair, direction);
    return better.verdict === 'pass' && worse.verdict === 'fail';
  });
}

/** The cells of a group that passed on the better side. */
export function passedIn({ pairs }: Group, direction: Direction): readonly Pair[] {
  return pairs.filter((pair) => bothSides(pair, direction).better.verdict === 'pass');
}

/** The cells of a group that passed less often on the worse side, and there rather as the whole group does than as before. */
export function lessOftenIn({ pairs }: Pick<Group, 'pairs'>, direction: Direction): readonly Pair[] {
  const cells = pairs.filter(countSameThing).map((pair) => ({ pair, ...stratumOf(pair, direction) }));
  const before = smoothed(sumOf(cells.map(({ baseline }) => baseline)));
  const now = smoothed(sumOf(cells.map(({ fresh }) => fresh)));
  return cells
    .filter(({ fresh, baseline }) => rateOf(fresh) < rateOf(baseline))
    .filter(({ fresh }) => logChance(fresh, now) > logChance(fresh, before))
    .map(({ pair }) => pair);
}

/** Never 0 or 1, of which a single trial would be proof. */
const smoothed = ({ passed, total }: Count): number => (passed + 0.5) / (total + 1);

function logChance({ passed, total }: Count, rate: number): number {
  return passed * Math.log(rate) + (total - passed) * Math.log(1 - rate);
}
