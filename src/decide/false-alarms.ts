import type { Count } from '../stats/count.js';
import { wilson } from '../stats/wilson.js';

/** False alarms that a run may raise, on average, over all its cells together. */
const alarmsPerRun = 0.05;

/**
 * The share of false positives among the rate changes that a run reports for cells the baseline calls flaky. A single cell is
 * tested at this level; over the run the p-values go through `benjaminiHochberg`.
 */
export const discoveryRate = 0.01;

/**
 * How much clearer a change must be of a rate that was pooled from the runs since a cell was accepted. Nobody has accepted
 * such a rate, and the cell is compared with it night after night.
 */
export const clearerIfPooled = 4;

/**
 * Log-likelihood ratio at which one cell of a run raises an alarm: the more cells, the stronger the evidence must be.
 * @param plannedCells of the whole run, before any shard was cut
 */
export function alarmBoundary(plannedCells: number): number {
  return Math.log(plannedCells / alarmsPerRun);
}

/**
 * The length of a row of trials without a result of this rate that is as unlikely by chance as `alarmBoundary` demands.
 * @param plannedCells of the whole run, before any shard was cut
 */
export function rowForAlarm(plannedCells: number, rate = 1 / 2): number {
  // Rounded first, since a quotient of logarithms is seldom exactly whole.
  return Math.ceil(Number((alarmBoundary(plannedCells) / -Math.log1p(-rate)).toFixed(9)));
}

/** A result that came in each of the few known trials may yet be as seldom as this; in more trials, one would have failed. */
export const seldom = 1 / 4;

/** A row that cannot be made long enough for all cells of a run must at least be this unlikely for its own cell. */
export const rareForOneCell = 0.001;

/**
 * The row of fresh trials without the expected result after which a cell of which little is known is said not to give it
 * any more. The less is known, the longer the row must be: a cell that passed once may well be one that passes every third
 * time. An improvement can wait for more evidence than the knowledge by itself would ask for, since nothing is broken.
 * @param known how many of the known trials gave the expected result
 * @param longest a row that can be asked for
 * @returns null: the result is known to be so rare that no row proves anything
 */
export function rowAgainst(
  known: Count,
  suspicion: 'regression' | 'improvement' | 'changed',
  plannedCells: number,
  longest: number,
): number | null {
  const [low] = wilson(known.passed, known.total);
  const least = Math.min(seldom, known.passed / Math.max(1, known.total));
  const rate = suspicion === 'improvement' ? least : Math.max(low, least);
  if (rate === 0) return null;
  const row = rowForAlarm(plannedCells, rate);
  if (row <= longest) return row;
  return (1 - rate) ** longest <= rareForOneCell ? longest : null;
}
