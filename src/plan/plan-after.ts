import type { CellMemory } from '../baseline/entries.js';
import { withMemory } from '../baseline/expected.js';
import type { Plan, Ticket } from './ticket.js';

/** What a plan needs to know of the runs before, by cell key. */
interface RunBefore {
  readonly cells: ReadonlyMap<string, CellMemory>;
}

/** The plan with what earlier runs learned of its cells. Its digest stays: the same requests are planned. */
export function planAfter(plan: Plan, before: RunBefore | null | undefined): Plan {
  if (!before || before.cells.size === 0) return plan;
  return {
    ...plan,
    tickets: plan.tickets.map((ticket) => ticketAfter(ticket, before)),
    reserve: plan.reserve.map((one) => ({ ...one, ticket: ticketAfter(one.ticket, before) })),
  };
}

export function ticketAfter(ticket: Ticket, { cells }: RunBefore): Ticket {
  const memory = cells.get(ticket.cell.key);
  return memory === undefined ? ticket : { ...ticket, expected: withMemory(ticket.expected, memory) };
}
