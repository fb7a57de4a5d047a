/** False alarms that a run may raise, on average, over all its cells together. */
const alarmsPerRun = 0.05;

/**
 * The share of false positives among the rate changes that a run reports for cells the baseline calls flaky. A single cell is
 * tested at this level; over the run the p-values go through `benjaminiHochberg`.
 */
export const discoveryRate = 0.01;

/**
 * Log-likelihood ratio at which one cell of a run raises an alarm: the more cells, the stronger the evidence must be.
 * @param plannedCells of the whole run, before any shard was cut
 */
export function alarmBoundary(plannedCells: number): number {
  return Math.log(plannedCells / alarmsPerRun);
}

/**
 * The length of a row of trials, each with probability 1/2, that is as unlikely by chance as `alarmBoundary` demands.
 * @param plannedCells of the whole run, before any shard was cut
 */
export function rowForAlarm(plannedCells: number): number {
  return Math.ceil(Math.log2(plannedCells / alarmsPerRun));
}
