import type { Finding } from '../decide/course.js';
import type { Ticket } from '../plan/ticket.js';
import { unaskedFinding } from './unasked-finding.js';

/** Another cell that a cell needs, by key. */
export type NeededCell = readonly [key: string, finding: Promise<Finding>];

/** The findings of a model's cells. */
export interface CellFindings {
  /** The finding of a cell: it is begun once, after the cells that it needs. */
  readonly of: (ticket: Ticket) => Promise<Finding>;
  /** Those that are there. */
  readonly concluded: ReadonlyMap<string, Finding>;
}

/**
 * @param planned the cells that others may need
 * @param find begins a cell
 */
export function createCellFindings(
  planned: ReadonlyMap<string, Ticket>,
  find: (ticket: Ticket, needs: readonly NeededCell[]) => Promise<Finding>,
): CellFindings {
  const begun = new Map<string, Promise<Finding>>();
  const concluded = new Map<string, Finding>();
  /** The cells whose needs are being looked at. */
  const path = new Set<string>();

  const neededFinding = (key: string): Promise<Finding> => {
    const ticket = planned.get(key);
    return ticket === undefined ? Promise.resolve(unaskedFinding('not_run', null, 0)) : of(ticket);
  };
  const of = (ticket: Ticket): Promise<Finding> => {
    const { key, needs } = ticket.cell;
    const finding = begun.get(key);
    if (finding !== undefined) return finding;
    if (path.has(key)) return Promise.resolve(unaskedFinding('blocked', 'needs itself', 0));
    path.add(key);
    const needed = needs.map((need) => [need, neededFinding(need)] as const);
    path.delete(key);
    const found = find(ticket, needed).then((one) => {
      concluded.set(key, one);
      return one;
    });
    begun.set(key, found);
    return found;
  };
  return { of, concluded };
}
