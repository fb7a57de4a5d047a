import type { Ticket } from '../../plan/ticket.js';
import type { CellStanding } from './apparent-standing.js';

/**
 * The cells that the baseline does not cover because a need of theirs failed when it was accepted, and that are asked now
 * only because the need passed at times: a need that fails in part lets its cells be asked in one run and not in the next.
 * A need that has become better for sure is news, and so is what its cells show then.
 * @param standings of the needs
 */
export function blockedBefore(
  tickets: readonly Ticket[],
  standings: ReadonlyMap<string, CellStanding>,
): ReadonlySet<string> {
  const uncovered = tickets.filter(({ cell, expected }) => expected.kind === 'new' && cell.needs.length > 0);
  if (uncovered.length === 0) return new Set();
  const byKey = new Map(tickets.map((ticket) => [ticket.cell.key, ticket]));
  const isUnmet = (key: string, path: ReadonlySet<string>): boolean => {
    const need = byKey.get(key);
    if (need === undefined || path.has(key)) return false;
    const { expected } = need;
    if (expected.kind === 'new') return wasBlocked(need, path);
    const stands = standings.get(key);
    const isBetter = stands?.standing === 'improvement' && !stands.unsettled;
    return expected.kind === 'entry' && expected.entry.verdict === 'fail' && !isBetter;
  };
  const wasBlocked = ({ cell }: Ticket, path: ReadonlySet<string> = new Set()): boolean =>
    cell.needs.some((need) => isUnmet(need, new Set([...path, cell.key])));
  return new Set(uncovered.filter((one) => wasBlocked(one)).map(({ cell }) => cell.key));
}
