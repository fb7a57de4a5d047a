import type { Problem } from '../../files/problems/problem.js';
import { groupBy } from '../../json/group-by.js';
import type { Need } from '../../suite/probe.js';
import { cellKey, probeKeyOf } from '../../cell/cell-key.js';
import type { Cell } from '../ticket.js';
import type { Absence } from './absent-settings.js';
import type { Cells } from './plan-cells.js';

/**
 * The cells with their `needs` filled in: the cells of the needed probe, on the same model, that have the same labels on
 * all common axes. If the needed probe has no cells because the config does not define a setting for the model, the need
 * cannot be met. No cell needs a left-out one, and a left-out cell is dropped if no cell meets its own needs.
 */
export function withNeeds({ cells, leftOut, absences }: Omit<Cells, 'problems'>): Needy {
  const byProbe = groupBy(cells, probeKeyOf);
  const absent = groupBy(absences, probeKeyOf);
  const resolve = (cell: Cell): Resolved => {
    const { needs } = cell.probe;
    if (needs.length === 0) return { cell, unmet: [] };
    const missing: Need[] = [];
    const reasons: string[] = [];
    const keys = new Set<string>();
    for (const need of needs) {
      const probeKey = cellKey(need.probe, [], cell.model.key);
      const candidates = byProbe.get(probeKey) ?? [];
      const found = neededBy(cell, candidates);
      for (const { key } of found) keys.add(key);
      const lacking = candidates.length === 0 ? (absent.get(probeKey) ?? []) : [];
      if (lacking.length > 0) reasons.push(unmeetableNeed(need, lacking));
      else if (found.length === 0) missing.push(need);
    }
    return { cell: { ...cell, needs: [...keys], unmeetable: reasons[0] ?? null }, unmet: missing };
  };
  const resolved = cells.map(resolve);
  const known = new Set([...cells, ...absences].map(({ probe }) => probeName(probe)));
  const problems = resolved.flatMap(({ cell, unmet }) => unmet.map((need) => unmetNeed(cell, need, known)));
  return {
    cells: resolved.map(({ cell }) => cell),
    leftOut: leftOut
      .map(resolve)
      .flatMap(({ cell, unmet }) => (unmet.length === 0 && cell.unmeetable === null ? [cell] : [])),
    problems: [...new Map(problems.map((problem) => [problem.message, problem])).values()],
  };
}

interface Needy {
  readonly cells: readonly Cell[];
  readonly leftOut: readonly Cell[];
  readonly problems: readonly Problem[];
}

interface Resolved {
  readonly cell: Cell;
  readonly unmet: readonly Need[];
}

/** The selected cells and all they need, which is marked as not selected; in the order of `cells`. */
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
  return candidates.filter((candidate) =>
    Object.entries(candidate.point).every(
      ([axis, label]) => !Object.hasOwn(cell.point, axis) || cell.point[axis] === label,
    ),
  );
}

function unmeetableNeed({ probe }: Need, lacking: readonly Absence[]): string {
  const names = lacking.map(({ settings, label }) => (label === null ? settings : `${settings}=${label}`));
  return `needs ${probe}, which is not asked, as the config defines no settings "${names.join('" and "')}" for this model`;
}

function unmetNeed(cell: Cell, need: Need, known: ReadonlySet<string>): Problem {
  const { place } = need;
  const name = probeName(cell.probe);
  if (!known.has(need.probe)) {
    return { severity: 'error', message: `${name} needs ${need.probe}, which no suite has`, place };
  }
  const point = Object.entries(cell.point).map(([axis, label]) => `${axis}=${label}`);
  const message = `${name} needs ${need.probe}, which has no point with the labels of ${point.join(', ')}`;
  const hint = 'axes of the same name must share their labels; rename one, or exclude the point';
  return { severity: 'error', message, hint, place };
}

function probeName(probe: Cell['probe']): string {
  return `${probe.suite}/${probe.name}`;
}
