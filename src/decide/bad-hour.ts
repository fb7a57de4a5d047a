import { type Count, sumOf } from '../stats/count.js';
import { groupBy } from '../json/group-by.js';
import { wilson } from '../stats/wilson.js';

/** A judged cell, as far as a bad hour of its service may show in it. */
export interface CellOfRun {
  readonly key: string;
  /** The service that answers for it. */
  readonly target: string;
  /** Its trials but for a fresh sample, which only some cells get; null: it is not expected to pass. */
  readonly first: Count | null;
  /** What would raise an alarm; null: nothing. */
  readonly drop: Drop | null;
}

/** A cell no longer passes as it did. */
export interface Drop {
  /** At least one of tonight's trials passed. */
  readonly inPart: boolean;
  /** Of the fresh sample. */
  readonly fresh: Count;
  /** How often the cell is known to pass; null: as often as the others. */
  readonly usual: number | null;
}

/** A run takes a night, and a bad hour spoils an eighth of it. */
export const hoursOfRun = 8;

/** How well a bad hour may explain, compared with a change of one cell, what a run shows in that cell and around it. */
const tooUnlikely = 0.005;

/** Cells that a bad hour may leave without a single pass, on average, before such cells say no more than that it was bad. */
const deadInAnHour = 0.02;

/** The shares of right answers that an hour may spoil. */
const spoiltShares = Array.from({ length: 19 }, (_, index) => (index + 1) / 20);

/**
 * The drops whose alarm waits until the next run confirms them, by cell key. One bad hour of a service is a likelier cause
 * of several partial drops than several changes are. That two cells of an unchanged service drop by chance is rare
 * whatever the size of the run, because the evidence that a drop needs grows with it. A single drop raises its alarm at
 * once if the cells around it show that the hour was not bad; in a small run they are too few to show it. A cell that no
 * longer passes at all raises it at once, unless the hour was so bad that others would look like that by chance.
 * @param cells in the order of the plan
 * @param confirmedBefore the drops that the samples of the previous run confirmed, alarm or not
 */
export function waitingDrops(cells: readonly CellOfRun[], confirmedBefore: ReadonlySet<string>): ReadonlySet<string> {
  const waiting = [...groupBy(cells, ({ target }) => target).values()].flatMap((ofTarget) => {
    // What the previous run saw as well is no sign of what happened tonight.
    const others = ofTarget.filter(({ key }) => !confirmedBefore.has(key));
    const isSingle = others.filter(({ drop }) => drop?.inPart).length === 1;
    // Those that no longer pass at all say nothing of the hour.
    const living: CellOfRun[] = [];
    const drops: (Pick<CellOfRun, 'key'> & { readonly drop: Drop; readonly at: number })[] = [];
    for (const cell of others) {
      const { key, drop } = cell;
      if (drop !== null) drops.push({ key, drop, at: living.length });
      if (drop?.inPart !== false) living.push(cell);
    }
    return drops.filter(({ drop, at }) => {
      if (drop.inPart) return !isSingle || !isAlone(drop, neighbours(living, at, at + 1));
      return mayLookDead(drop, neighbours(living, at, at), others.length);
    });
  });
  return new Set(waiting.map(({ key }) => key));
}

/** The trials of the cells that were asked in the same hour, and of all others. */
interface Around {
  readonly before: Count;
  readonly after: Count;
  readonly elsewhere: Count;
}

/** Of a cell that stands from `begin` to `end`. */
function neighbours(cells: readonly CellOfRun[], begin: number, end: number): Around {
  const half = Math.max(1, Math.round(cells.length / hoursOfRun / 2));
  const [from, to] = [Math.max(0, begin - half), end + half];
  return {
    before: seenIn(cells.slice(from, begin)),
    after: seenIn(cells.slice(end, to)),
    elsewhere: seenIn([...cells.slice(0, from), ...cells.slice(to)]),
  };
}

const seenIn = (cells: readonly CellOfRun[]): Count => sumOf(cells.flatMap(({ first }) => first ?? []));

function isAlone({ fresh, usual }: Drop, { before, after, elsewhere }: Around): boolean {
  const around = { passed: before.passed + after.passed, total: before.total + after.total };
  const rate = (elsewhere.passed + 1) / (elsewhere.total + 2);
  const withoutHour = logLikelihood(around, rate) + logLikelihood(fresh, fresh.passed / fresh.total);
  const withHour = spoiltShares.map(
    (spoilt) => logLikelihood(around, rate * (1 - spoilt)) + logLikelihood(fresh, (usual ?? rate) * (1 - spoilt)),
  );
  return Math.max(...withHour) - withoutHour <= Math.log(tooUnlikely);
}

/** A bad hour need not begin or end with the cells around, so the worse side says how bad it was at least. */
function mayLookDead({ fresh }: Drop, { before, after }: Around, cells: number): boolean {
  const failing = Math.max(leastFailureRate(before), leastFailureRate(after));
  // The trial that led to the fresh sample failed as well.
  return (cells / hoursOfRun) * failing ** (fresh.total + 1) > deadInAnHour;
}

const leastFailureRate = ({ passed, total }: Count): number => wilson(total - passed, total)[0];

function logLikelihood({ passed, total }: Count, rate: number): number {
  return times(passed, rate) + times(total - passed, 1 - rate);
}

/** What did not happen counts for nothing, even where it could not have happened. */
const times = (count: number, rate: number): number => (count === 0 ? 0 : count * Math.log(rate));
