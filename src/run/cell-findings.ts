import type { Finding } from '../decide/course.js';
import type { PlannedCell } from '../plan/plan.js';
import { unaskedFinding } from './unasked-finding.js';

/** Another cell that a cell needs, by key. */
export type NeededCell = readonly [key: string, finding: Promise<Finding>];

/** The findings of a model's cells. */
export interface CellFindings {
  /** The finding of a cell: it is begun once, after the cells that it needs. */
  readonly of: (planned: PlannedCell) => Promise<Finding>;
  /** The findings so far. */
  readonly concluded: ReadonlyMap<string, Finding>;
}

/**
 * @param byKey the cells that others may need
 * @param find begins a cell
 */
export function createCellFindings(
  byKey: ReadonlyMap<string, PlannedCell>,
  find: (planned: PlannedCell, needs: readonly NeededCell[]) => Promise<Finding>,
): CellFindings {
  const begun = new Map<string, Promise<Finding>>();
  const concluded = new Map<string, Finding>();
  /** The cells whose needs are being looked at. */
  const path = new Set<string>();

  const neededFinding = (key: string): Promise<Finding> => {
    const planned = byKey.get(key);
    return planned === undefined ? Promise.resolve(unaskedFinding('not_run', null, 0)) : of(planned);
  };
  const of = (planned: PlannedCell): Promise<Finding> => {
    const { key, needs } = planned.cell;
    const finding = begun.get(key);
    if (finding !== undefined) return finding;
    if (path.has(key)) return Promise.resolve(unaskedFinding('blocked', 'needs itself', 0));
    path.add(key);
    const needed = needs.map((need) => [need, neededFinding(need)] as const);
    path.delete(key);
    const found = find(planned, needed).then((one) => {
      concluded.set(key, one);
      return one;
    });
    begun.set(key, found);
    return found;
  };
  return { of, concluded };
}
