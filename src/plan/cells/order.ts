import type { Ticket } from '../ticket.js';

/** The tickets in an order in which needs come before what needs them, otherwise as they were. A cycle ends somewhere. */
export function order(tickets: readonly Ticket[]): readonly Ticket[] {
  const byKey = new Map(tickets.map((ticket) => [ticket.cell.key, ticket]));
  const seen = new Set<string>();
  const ordered: Ticket[] = [];
  const visit = (ticket: Ticket): void => {
    if (seen.has(ticket.cell.key)) return;
    seen.add(ticket.cell.key);
    for (const need of ticket.cell.needs) {
      const needed = byKey.get(need);
      if (needed !== undefined) visit(needed);
    }
    ordered.push(ticket);
  };
  tickets.forEach(visit);
  return ordered;
}
