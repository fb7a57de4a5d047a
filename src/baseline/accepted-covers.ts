import { splitAtModel, withoutPoint } from '../cell/cell-key.js';
import { isJudged } from '../cell/verdict.js';
import { groupBy } from '../json/group-by.js';
import type { AcceptedCell } from './accepted-run.js';
import { indexCovers } from './expected.js';
import type { Cover } from './entries.js';
import { wellKnown } from '../stats/evidence.js';

/**
 * What becomes of the lines of `covers` when a run is accepted: a line for each probe and model, so that a probe or a model
 * that is added later is new. A line states from how many trials the least known of its cells is known; a cell that is well
 * known although its line says fewer gets a line of its own, and so do the cells of a probe of which others were not
 * accepted. Lines of other patterns are left to people, and nothing is written for a cell of which enough is known already. A
 * keyword whose enforcement stayed unclear was looked at, and is known from no trial.
 * @param isWholeProbe whether the run asked all points of the probe of a line; otherwise the line may not speak for it
 */
export function acceptedCovers(
  covers: readonly Cover[],
  cells: readonly AcceptedCell[],
  isAccepted: (cell: AcceptedCell) => boolean,
  isWholeProbe: (line: string) => boolean,
): ReadonlyMap<string, Cover | null> {
  const coveredBy = indexCovers(covers);
  // Nothing is known of a cell that was looked at in vain.
  const trialsOf = (key: string, itself?: boolean) => {
    const trials = coveredBy(key, itself);
    return trials === 0 ? undefined : trials;
  };
  const before = new Map(covers.map((cover) => [cover.cells, cover]));
  const lines = new Map(before);
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
    if (isWhole) renew(lines, line, least);
    for (const { key, now } of open) {
      if (!isWhole || (now >= wellKnown && least < wellKnown)) renew(lines, key, now);
    }
    if (isWhole) for (const { key } of group) dropSuperfluous(lines, key, line);
  }
  for (const cell of cells) {
    const isUnclear = cell.verdict === 'inconclusive' && cell.enforcement === 'unclear';
    if (isUnclear && isAccepted(cell) && coveredBy(cell.key) === undefined) renew(lines, cell.key, 0);
  }
  const gone = [...before.keys()].filter((line) => !lines.has(line)).map((line) => [line, null] as const);
  return new Map([...gone, ...[...lines].filter(([line, cover]) => before.get(line) !== cover)]);
}

const lineOf = (key: string): string => {
  const { head, model } = splitAtModel(key);
  return `${withoutPoint(head)}@${model ?? ''}`;
};

/** A further point gets a line of its own: whether a run asks it depends on the others, so the probe's line says nothing of it. */
const lineOfCell = (cell: AcceptedCell): string => (isFurtherPoint(cell) ? cell.key : lineOf(cell.key));

const isFurtherPoint = ({ asked_for }: AcceptedCell): boolean => asked_for === 'condition';

/** Not covered, or known from few trials. */
const isOpen = (before: number | null | undefined): boolean =>
  before === undefined || (before !== null && before < wellKnown);

/** A cell that the run leaves in doubt is known no better than before. */
function trialsKnownOf({ known, trials, verdict, unsettled }: AcceptedCell, before: number | null | undefined): number {
  const failedBefore = verdict === 'pass' && (known?.passed ?? 0) < (known?.total ?? 0);
  if ((unsettled || failedBefore) && before !== undefined) return 0;
  return known?.total ?? trials.total;
}

function renew(lines: Map<string, Cover>, cells: string, trials: number): void {
  const old = lines.get(cells);
  if (old === undefined || (old.trials !== null && old.trials < trials)) lines.set(cells, { cells, trials });
}

/** The line of a single cell says nothing once that of its probe states as many trials. */
function dropSuperfluous(lines: Map<string, Cover>, key: string, line: string): void {
  const [one, all] = [lines.get(key), lines.get(line)];
  if (key === line || one?.trials === undefined || one.trials === null) return;
  if (all !== undefined && (all.trials === null || all.trials >= one.trials)) lines.delete(key);
}
