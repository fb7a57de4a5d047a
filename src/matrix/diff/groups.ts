import { groupBy } from '../../json/group-by.js';
import { chanceOfAtLeast, chanceOfCompleteFall, completeFall } from '../../stats/complete-falls.js';
import { leastProbabilityOfFewer, probabilityOfFewer } from '../../stats/exact-test.js';
import { familyOf } from '../capability-families.js';
import { bothSides, countOf, countSameThing, type Direction, modelOf, type Pair } from './pair.js';

/** Cells of one model that belong together and may have changed together. */
export interface Group {
  /** What they have in common: a probe, a capability, a family of capabilities or a suite. */
  readonly name: string;
  readonly model: string;
  readonly pairs: readonly Pair[];
}

/** Of cells that belong together: probe, capability, family and suite of each model, each set of cells once. */
export function groupsOf(pairs: readonly Pair[]): readonly Group[] {
  const levels: readonly ((pair: Pair) => string)[] = [
    ({ head }) => head.capability,
    ({ head }) => `${head.suite}/${head.probe}`,
    ({ head }) => familyOf(head.capability),
    ({ head }) => head.suite,
  ];
  const groups = levels.flatMap((nameOf) =>
    [...groupBy(pairs, (pair) => JSON.stringify([nameOf(pair), modelOf(pair)])).values()].flatMap((group): Group[] => {
      const [first] = group;
      return first === undefined || group.length < 2
        ? []
        : [{ name: nameOf(first), model: modelOf(first), pairs: group }];
    }),
  );
  const bySet = groupBy(groups, (group) => group.pairs.map(({ name }) => name).join('\n'));
  return [...bySet.values()].flatMap(([first]) => (first === undefined ? [] : [first]));
}

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

/** The cells of a group that passed on the better side and fail on the other. */
export function changedIn({ pairs }: Group, direction: Direction): readonly Pair[] {
  return pairs.filter((pair) => {
    const { better, worse } = bothSides(pair, direction);
    return better.verdict === 'pass' && worse.verdict === 'fail';
  });
}
