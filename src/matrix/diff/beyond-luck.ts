import { wellKnown } from '../../baseline/knowledge.js';
import { benjaminiHochberg } from '../../stats/benjamini-hochberg.js';
import { leastProbabilityOfFewer, probabilityOfFewer } from '../../stats/exact-test.js';
import { changedIn, type Group, groupsOf, testOfFalls, testOfVerdicts } from './groups.js';
import { bothSides, countOf, countSameThing, type Direction, type JudgedCell, type Pair } from './pair.js';
import { refusedByRule } from './refused-by-rule.js';

/**
 * What makes a change more than luck. `refusal`: the service refuses by rule. `confirmed`: the run asked the cell again and
 * confirmed the difference from its baseline. `row`: a row of trials that is too long for chance. `rate`: an exact test.
 * `group`: not the cell alone, but together with the others of its group.
 */
export type Because = 'refusal' | 'confirmed' | 'row' | 'rate' | 'group';

/** Cells that changed together. */
export interface GroupFound {
  readonly group: Group;
  readonly changed: readonly Pair[];
  readonly p: number;
}

export interface BeyondLuck {
  /** By the name of the pair. */
  readonly cells: ReadonlyMap<string, Because>;
  readonly groups: readonly GroupFound[];
  /** Cells that pass more often by an exact test, but still fail: they are not gained. */
  readonly moreOften: readonly string[];
}

/** The share of false ones among the changes that an exact test calls more than luck. */
const falseDiscoveryRate = 0.01;
/** From so many failures it is known that a cell failed, since a reliable one may fail once. */
const fewestFailures = 2;
/** The chance that a row which is called more than luck is none, over all cells of a diff. */
const chanceOfRow = 0.05;

/** Which cells, alone or together with others, were lost or gained by more than luck. */
export function beyondLuck(pairs: readonly Pair[], direction: Direction, sameModels: boolean): BeyondLuck {
  const alone = new Map<string, Because>();
  const add = (names: Iterable<string>, because: Because) => {
    for (const name of names) if (!alone.has(name)) alone.set(name, because);
  };
  const tests = testsOf(pairs, direction);
  const isSettled = ({ head }: Pair): boolean => direction === 'lost' || passesNow(head);
  const refused = refusedByRule(pairs, direction, sameModels);
  add(namesOf(pairs.filter((pair) => refused.has(pair.name) && isSettled(pair))), 'refusal');
  if (sameModels) add(namesOf(pairs.filter((pair) => isConfirmed(pair, direction))), 'confirmed');
  add(namesOf(unbrokenRows(pairs, direction)), 'row');
  add(namesOf(tests.pairs.filter(isSettled)), 'rate');

  const groups: GroupFound[] = [];
  const cells = new Map(alone);
  for (const { group, p } of tests.groups) {
    const changed = changedIn(group, direction);
    const further = changed.filter(({ name }) => !cells.has(name));
    if (further.length === 0) continue;
    groups.push({ group, changed, p });
    for (const { name } of further) cells.set(name, 'group');
  }
  return { cells, groups, moreOften: namesOf(tests.pairs).filter((name) => !cells.has(name)) };
}

/** A cell is gained when it passes, not when it fails less often; the run may know that it passes although a trial failed. */
function passesNow({ verdict, standing, unsettled }: JudgedCell): boolean {
  return verdict === 'pass' || (standing === 'improvement' && !unsettled);
}

const namesOf = (pairs: readonly Pair[]) => pairs.map(({ name }) => name);

/**
 * The run itself asked again until it was sure that a cell no longer passes, or now does. That a cell which was known from a
 * few trials no longer passes says that it is flaky or broken, but not that it was not so before; that it now passes says
 * more, as long as it did not fail just once.
 */
function isConfirmed({ base, head }: Pair, direction: Direction): boolean {
  const { standing, surprise, unsettled, known } = head;
  if (surprise !== 'confirmed' || unsettled) return false;
  if (direction === 'gained') {
    const failed = known === undefined ? Infinity : known.before.total - known.before.passed;
    return standing === 'improvement' && base.verdict !== 'pass' && failed >= fewestFailures;
  }
  if (known !== undefined && known.before.total < wellKnown) return false;
  return standing === 'regression' && base.verdict === 'pass' && head.verdict === 'fail';
}

/**
 * Rows of trials of the head, all unlike those of the base, that rule out chance even if every second trial passed. The
 * more cells could have had such a row, the longer it must be. That a cell had failed is known from earlier trials, too.
 */
function unbrokenRows(pairs: readonly Pair[], direction: Direction): readonly Pair[] {
  const [before, now] = direction === 'lost' ? (['pass', 'fail'] as const) : (['fail', 'pass'] as const);
  const candidates = pairs.filter(
    ({ base }) => base.verdict === before && (direction === 'lost' || hasOnlyFailed(base)),
  );
  const row = Math.ceil(Math.log2(candidates.length / chanceOfRow));
  return candidates.filter(({ head: { verdict, trials } }) => {
    const like = direction === 'lost' ? trials.passed : trials.total - trials.passed;
    return verdict === now && like === 0 && trials.total >= row;
  });
}

function hasOnlyFailed({ trials, known }: JudgedCell): boolean {
  const { passed, total } = known ?? trials;
  return passed === 0 && total >= fewestFailures;
}

/**
 * The pairs and groups that changed significantly, the groups with the smallest p-value first. Those
 * that could not have become significant with any result are not counted among the tests.
 */
function testsOf(pairs: readonly Pair[], direction: Direction) {
  const ofPairs = pairs.filter(countSameThing).map((pair) => {
    const sides = bothSides(pair, direction);
    const [better, worse] = [countOf(sides.better), countOf(sides.worse)];
    const [p, least] = [probabilityOfFewer(worse, better), leastProbabilityOfFewer(worse, better)];
    return { pair, group: null, p, least, together: true };
  });
  const ofGroups = groupsOf(pairs).flatMap((group) =>
    [testOfVerdicts(group, direction), testOfFalls(group, direction)].map((test) => ({ pair: null, group, ...test })),
  );
  const able = [...ofPairs, ...ofGroups].filter(({ least }) => least <= falseDiscoveryRate);
  const significant = benjaminiHochberg(
    able.map(({ p }) => p),
    falseDiscoveryRate,
  );
  const found = able.filter(({ together }, index) => together && significant[index] === true);
  return {
    pairs: found.flatMap(({ pair }) => pair ?? []),
    groups: found.flatMap(({ group, p }) => (group === null ? [] : [{ group, p }])).sort((one, two) => one.p - two.p),
  };
}
