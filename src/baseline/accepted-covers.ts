import { splitAtModel, withoutPoint } from '../cell/cell-key.js';
import { isJudged } from '../cell/verdict.js';
import { groupBy } from '../json/group-by.js';
import type { AcceptedCell } from './accepted-run.js';
import { indexCovers } from './expected.js';
import type { Cover } from './entries.js';
import { wellKnown } from '../stats/evidence.js';

/**
 * The lines of `covers` that change when a run is accepted: a line for each probe and model, so that a probe or a
 * model that is added later is new. A line states from how many trials the least known of its cells is known; the cells
 * of a probe of which others were not accepted get lines of their own. Lines of other patterns are left to people, and
 * nothing is written for a cell of which enough is known already. A keyword whose enforcement stayed unclear was looked
 * at, and is known from no trial.
 * @param isWholeProbe whether the run asked all points of the probe of a line; otherwise the line may not speak for it
 */
export function acceptedCovers(
  covers: readonly Cover[],
  cells: readonly AcceptedCell[],
  isAccepted: (cell: AcceptedCell) => boolean,
  isWholeProbe: (line: string) => boolean,
): ReadonlyMap<string, Cover> {
  const coveredBy = indexCovers(covers);
  // Nothing is known of a cell that was looked at in vain.
  const trialsOf = (key: string, itself?: boolean) => {
    const trials = coveredBy(key, itself);
    return trials === 0 ? undefined : trials;
  };
  const before = new Map(covers.map((cover) => [cover.cells, cover.trials]));
  const lines = new Map<string, Cover>();
  const renew = (line: string, trials: number): void => {
    const old = before.get(line);
    if (old === undefined || (old !== null && old < trials)) lines.set(line, { cells: line, trials });
  };
  for (const [line, group] of groupBy(cells, lineOfCell)) {
    const known = group
      .filter((cell) => isAccepted(cell) && isJudged(cell))
      .map((cell) => {
        const before = trialsOf(cell.key, isFurtherPoint(cell));
        return { key: cell.key, before, now: Math.max(before ?? 0, trialsKnownOf(cell, before)) };
      });
    const open = known.filter(({ before, now }) => isOpen(before) && now > (before ?? 0));
    if (open.length === 0) continue;
    const others = group.filter(({ key }) => !known.some((one) => one.key === key)).map(({ key }) => trialsOf(key));
    const least = Math.min(
      ...known.filter(({ before }) => isOpen(before)).map(({ now }) => now),
      ...others.map((before) => before ?? Infinity),
    );
    const isWhole = !others.includes(undefined) && (isWholeProbe(line) || group.every(({ key }) => key === line));
    if (isWhole) {
      renew(line, least);
    } else {
      for (const { key, now } of open) renew(key, now);
    }
  }
  for (const cell of cells) {
    const isUnclear = cell.verdict === 'inconclusive' && cell.enforcement === 'unclear';
    if (isUnclear && isAccepted(cell) && coveredBy(cell.key) === undefined) renew(cell.key, 0);
  }
  return lines;
}

const keyWithoutPoint = (key: string): string => {
  const { head, model } = splitAtModel(key);
  return `${withoutPoint(head)}@${model ?? ''}`;
};

/**
 * A further point gets a line of its own: whether a run asks it depends on the others, so the probe's line says nothing
 * of it.
 */
const lineOfCell = (cell: AcceptedCell): string => (isFurtherPoint(cell) ? cell.key : keyWithoutPoint(cell.key));

const isFurtherPoint = ({ asked_for }: AcceptedCell): boolean => asked_for === 'condition';

/** Not covered, or known from few trials. */
const isOpen = (before: number | null | undefined): boolean =>
  before === undefined || (before !== null && before < wellKnown);

/** A cell that the run leaves in doubt is known no better than before. */
function trialsKnownOf(
  { evidence, trials, verdict, unsettled }: AcceptedCell,
  before: number | null | undefined,
): number {
  const [passed, total] = evidence?.known ?? [0, 0];
  const failedBefore = verdict === 'pass' && passed < total;
  if ((unsettled || failedBefore) && before !== undefined) return 0;
  return evidence?.known[1] ?? trials.total;
}
