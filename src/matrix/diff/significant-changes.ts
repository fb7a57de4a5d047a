import { benjaminiHochberg } from '../../stats/benjamini-hochberg.js';
import { leastProbabilityOfFewer, probabilityOfFewer } from '../../stats/exact-test.js';
import { fallenIn, passedIn, testOfFalls, testOfRates, testOfVerdicts } from './group-tests.js';
import { capabilityGroups, type Group, groupsOf } from './groups.js';
import { bothSides, countOf, countSameThing, type Direction, type Pair } from './pair.js';

/** The share of false ones among the changes that an exact test calls more than luck. */
const falseDiscoveryRate = 0.01;

export interface GroupSignificant {
  readonly group: Group;
  readonly p: number;
}

export interface SignificantChanges {
  readonly pairs: readonly Pair[];
  /** Groups in which cells fell together, the smallest p-value first. */
  readonly together: readonly GroupSignificant[];
  /** Groups that passed less often on the whole, the smallest group first, since it says most. */
  readonly rates: readonly GroupSignificant[];
  /** The largest p-value that is significant. */
  readonly limit: number;
}

/**
 * The pairs and groups that changed significantly. Those that could not have become significant with any result are not
 * counted among the tests.
 * @param sameProfile whether both sides asked in the same way, so that the rates of groups can be compared
 */
export function significantChanges(
  pairs: readonly Pair[],
  direction: Direction,
  sameProfile: boolean,
): SignificantChanges {
  const ofPairs = pairs.filter(countSameThing).map((pair) => {
    const sides = bothSides(pair, direction);
    const [better, worse] = [countOf(sides.better), countOf(sides.worse)];
    const [p, least] = [probabilityOfFewer(worse, better), leastProbabilityOfFewer(worse, better)];
    return { kind: 'pair' as const, pair, p, least, together: true };
  });
  const ofGroups = groupsOf(pairs).flatMap((group) => [
    { kind: 'together' as const, group, ...testOfVerdicts(group, direction) },
    { kind: 'together' as const, group, ...testOfFalls(group, direction) },
    ...(sameProfile ? [{ kind: 'rates' as const, group, ...testOfRates(group, direction) }] : []),
  ]);
  const able = [...ofPairs, ...ofGroups].filter(({ least }) => least <= falseDiscoveryRate);
  const significant = benjaminiHochberg(
    able.map(({ p }) => p),
    falseDiscoveryRate,
  );
  const all = able.filter((_, index) => significant[index] === true);
  const found = all.filter(({ together }) => together);
  return {
    pairs: found.flatMap((one) => (one.kind === 'pair' ? [one.pair] : [])),
    together: found.flatMap((one) => (one.kind === 'together' ? [one] : [])).sort((one, two) => one.p - two.p),
    rates: found
      .flatMap((one) => (one.kind === 'rates' ? [one] : []))
      .sort((one, two) => one.group.pairs.length - two.group.pairs.length || one.p - two.p),
    limit: Math.max(0, ...all.map(({ p }) => p)),
  };
}

/**
 * Capabilities that are gone: every cell of several that passed in each trial now fails in each, and that is too unlikely
 * for chance over all capabilities, whatever the rates of the cells.
 * @param chance that any of them is called gone and is not
 */
export function fallenCapabilities(pairs: readonly Pair[], chance: number): readonly GroupSignificant[] {
  const groups = capabilityGroups(pairs);
  return groups
    .filter((group) => fallenIn(group, 'lost').length === passedIn(group, 'lost').length)
    .map((group) => ({ group, p: testOfFalls(group, 'lost').p }))
    .filter(({ p }) => p <= chance / groups.length)
    .sort((one, two) => one.p - two.p);
}
