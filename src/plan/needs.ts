import type { Problem } from '../files/problem.js';
import { closest } from 'fastest-levenshtein';
import type { Need } from '../suite/probe.js';
import type { Cell } from './cell.js';

/**
 * The cells with their `needs` filled in: of the needed probe, the cells of the same model that carry the same label
 * on every axis that both have. Cells that are not asked because of the config are left out while others remain.
 */
export function withNeeds(cells: readonly Cell[]): { cells: readonly Cell[]; problems: readonly Problem[] } {
  const byProbe = new Map<string, Cell[]>();
  for (const cell of cells) {
    const group = byProbe.get(groupOf(cell.probe, cell.model.key));
    if (group === undefined) byProbe.set(groupOf(cell.probe, cell.model.key), [cell]);
    else group.push(cell);
  }
  const problems = new Map<string, Problem>();
  const known = new Set(cells.map((cell) => probeName(cell.probe)));
  const resolved = cells.map((cell) => {
    if (cell.probe.needs.length === 0 || cell.skip !== null) return cell;
    const needs = cell.probe.needs.flatMap((need) => {
      const found = neededBy(cell, byProbe.get(`${need.probe}@${cell.model.key}`) ?? []);
      if (found.length === 0) {
        const problem = unmet(cell, need, known);
        problems.set(problem.message, problem);
      }
      return found.map(({ key }) => key);
    });
    return { ...cell, needs: [...new Set(needs)] };
  });
  return { cells: resolved, problems: [...problems.values()] };
}

/** The selected cells and, marked as not selected, what they need, and what that needs; in the order of `cells`. */
export function withNeeded(cells: readonly Cell[], isSelected: (cell: Cell) => boolean): readonly Cell[] {
  const byKey = new Map(cells.map((cell) => [cell.key, cell]));
  const selected = new Set(cells.filter(isSelected).map(({ key }) => key));
  const planned = new Set(selected);
  const open = [...selected];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    for (const need of byKey.get(key)?.needs ?? []) {
      if (planned.has(need)) continue;
      planned.add(need);
      open.push(need);
    }
  }
  return cells.filter(({ key }) => planned.has(key)).map((cell) => ({ ...cell, selected: selected.has(cell.key) }));
}

function neededBy(cell: Cell, candidates: readonly Cell[]): readonly Cell[] {
  const fitting = candidates.filter((candidate) =>
    Object.entries(candidate.point).every(
      ([axis, label]) => !Object.hasOwn(cell.point, axis) || cell.point[axis] === label,
    ),
  );
  const asked = fitting.filter(({ skip }) => skip === null);
  return asked.length > 0 ? asked : fitting;
}

function unmet(cell: Cell, need: Need, known: ReadonlySet<string>): Problem {
  const { place } = need;
  const name = probeName(cell.probe);
  if (!known.has(need.probe)) {
    const message = `${name} needs ${need.probe}, which no suite holds`;
    return { severity: 'error', message, hint: `did you mean "${closest(need.probe, [...known])}"?`, place };
  }
  const point = Object.entries(cell.point).map(([axis, label]) => `${axis}=${label}`);
  const message = `${name} needs ${need.probe}, which has no point with the labels of ${point.join(', ')}`;
  const hint = 'axes of the same name must share their labels; rename one, or exclude the point';
  return { severity: 'error', message, hint, place };
}

function probeName(probe: Cell['probe']): string {
  return `${probe.suite}/${probe.name}`;
}

function groupOf(probe: Cell['probe'], model: string): string {
  return `${probeName(probe)}@${model}`;
}
