import { wellKnown } from '../../baseline/knowledge.js';
import { fallenIn, lessOftenIn, testOfRates } from './group-tests.js';
import type { Group } from './groups.js';
import type { Direction, JudgedCell, Pair } from './pair.js';
import { refusedByRule } from './refused-by-rule.js';
import { fallenCapabilities, significantChanges } from './significant-changes.js';

/**
 * What makes a change more than luck. `refusal`: the service refuses by rule. `confirmed`: the run asked the cell again and
 * confirmed the difference from its baseline. `row`: a row of trials that is too long for chance. `rate`: an exact test.
 * `group`: not the cell alone, but together with the others of its group.
 */
export type Because = 'refusal' | 'confirmed' | 'row' | 'rate' | 'group';

/** Cells that changed together. */
export interface GroupFound {
  /** With the cells that were tested. */
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

/** From so many failures it is known that a cell failed, since a reliable one may fail once. */
const fewestFailures = 2;
/** The chance that a row which is called more than luck is none, over all cells of a diff. */
const chanceOfRow = 0.05;

/** What both sides have in common. */
export interface Alike {
  /** Both asked the same models. */
  readonly sameModels: boolean;
  /** Both asked in the same way: what makes one ask again makes the other ask again. */
  readonly sameProfile: boolean;
}

/** Which cells, alone or together with others, were lost or gained by more than luck. */
export function beyondLuck(
  pairs: readonly Pair[],
  direction: Direction,
  { sameModels, sameProfile }: Alike,
): BeyondLuck {
  const alone = new Map<string, Because>();
  const add = (names: Iterable<string>, because: Because) => {
    for (const name of names) if (!alone.has(name)) alone.set(name, because);
  };
  const tests = significantChanges(pairs, direction, sameProfile);
  const isSettled = ({ head }: Pair): boolean => direction === 'lost' || passesNow(head);
  const refused = refusedByRule(pairs, direction, sameModels);
  add(namesOf(pairs.filter((pair) => refused.has(pair.name) && isSettled(pair))), 'refusal');
  if (sameModels) add(namesOf(pairs.filter((pair) => isConfirmed(pair, direction))), 'confirmed');
  add(namesOf(unbrokenRows(pairs, direction)), 'row');
  add(namesOf(tests.pairs.filter(isSettled)), 'rate');

  const groups: GroupFound[] = [];
  const cells = new Map(alone);
  const found = ({ group, p }: Omit<GroupFound, 'changed'>, changed: readonly Pair[]) => {
    const further = changed.filter(({ name }) => !cells.has(name));
    if (further.length === 0) return;
    groups.push({ group, changed, p });
    for (const { name } of further) cells.set(name, 'group');
  };
  const fallen = direction === 'lost' ? fallenCapabilities(pairs, chanceOfRow) : [];
  for (const one of [...fallen, ...tests.together]) found(one, fallenIn(one.group, direction));
  for (const { group } of tests.rates) {
    // What is known without them must not speak for the others.
    const rest = group.pairs.filter(({ name }) => !cells.has(name));
    const { p } = testOfRates({ pairs: rest }, direction);
    if (p <= tests.limit)
      found({ group: { ...group, pairs: rest }, p }, lessOftenIn({ pairs: rest }, direction).filter(isSettled));
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
