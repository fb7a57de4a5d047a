import { cellKey, probeKeyOf } from '../../cell/cell-key.js';
import type { Problem } from '../../files/problems/problem.js';
import { groupBy } from '../../json/group-by.js';
import type { Need } from '../../suite/probe.js';
import type { Cell } from '../ticket.js';
import { type Cells, isSubset, settingsLacking } from './plan-cells.js';

/**
 * The cells with their `needs` filled in: the cells of the needed probe, on the same model, that have the same labels on
 * all common axes. If the needed probe has no cells because the config does not define a setting for the model, the need
 * cannot be met. No cell needs a left-out one, and a left-out cell is dropped if no cell meets its own needs.
 */
export function withNeeds({ cells, leftOut, absences }: Cells): Omit<Cells, 'absences'> {
  const byProbe = groupBy(cells, probeKeyOf);
  const absent = groupBy(absences, probeKeyOf);
  const known = new Set([...cells, ...absences].map(({ probe }) => nameOf(probe)));
  const problems = new Map<string, Problem>();
  const resolve = (cell: Cell, isPlanned: boolean): Cell[] => {
    const keys = new Set<string>();
    let unmeetable: string | null = null;
    for (const need of cell.probe.needs) {
      const probeKey = cellKey(need.probe, [], cell.model.key);
      const found = (byProbe.get(probeKey) ?? []).filter(({ point }) => isSubset(common(point, cell), cell.point));
      const lacking = absent.get(probeKey);
      for (const { key } of found) keys.add(key);
      if (found.length > 0) continue;
      if (lacking !== undefined && !byProbe.has(probeKey))
        unmeetable ??= `needs ${need.probe}, which is not asked, as the config defines ${settingsLacking(lacking)} for this model`;
      else if (!isPlanned) return [];
      else {
        const problem = unmetNeed(cell, need, known);
        problems.set(problem.message, problem);
      }
    }
    return isPlanned || unmeetable === null ? [{ ...cell, needs: [...keys], unmeetable }] : [];
  };
  return {
    cells: cells.flatMap((cell) => resolve(cell, true)),
    leftOut: leftOut.flatMap((cell) => resolve(cell, false)),
    problems: [...problems.values()],
  };
}

/** The selected cells and all they need, which is marked as not selected; in the order of `cells`. */
export function withNeeded(cells: readonly Cell[], isSelected: (cell: Cell) => boolean): readonly Cell[] {
  const byKey = new Map(cells.map((cell) => [cell.key, cell]));
  const selected = new Set(cells.filter(isSelected).map(({ key }) => key));
  // A set is walked with what is added on the way.
  const planned = new Set(selected);
  for (const key of planned) for (const need of byKey.get(key)?.needs ?? []) planned.add(need);
  return cells.filter(({ key }) => planned.has(key)).map((cell) => ({ ...cell, selected: selected.has(cell.key) }));
}

function common(point: Cell['point'], cell: Cell): Cell['point'] {
  return Object.fromEntries(Object.entries(point).filter(([axis]) => Object.hasOwn(cell.point, axis)));
}

function unmetNeed(cell: Cell, { probe, place }: Need, known: ReadonlySet<string>): Problem {
  const name = nameOf(cell.probe);
  if (!known.has(probe)) return { severity: 'error', message: `${name} needs ${probe}, which no suite has`, place };
  const point = Object.entries(cell.point).map(([axis, label]) => `${axis}=${label}`);
  const message = `${name} needs ${probe}, which has no point with the labels of ${point.join(', ')}`;
  const hint = 'axes of the same name must share their labels; rename one, or exclude the point';
  return { severity: 'error', message, hint, place };
}

const nameOf = ({ suite, name }: Cell['probe']): string => `${suite}/${name}`;
