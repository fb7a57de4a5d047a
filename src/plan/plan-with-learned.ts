import { withLearned } from '../baseline/knowledge.js';
import type { Learned } from '../baseline/learned.js';
import type { Plan, Ticket } from './ticket.js';

/** The plan, its cells expected with all that earlier runs learned of them. Its digest stays: the same requests are planned. */
export function planWithLearned(plan: Plan, learned: ReadonlyMap<string, Learned> | undefined): Plan {
  if (learned === undefined || learned.size === 0) return plan;
  const withIt = (ticket: Ticket): Ticket => ({
    ...ticket,
    expected: withLearned(ticket.expected, learned.get(ticket.cell.key)),
  });
  return {
    ...plan,
    tickets: plan.tickets.map(withIt),
    reserve: plan.reserve.map((one) => ({ ...one, ticket: withIt(one.ticket) })),
  };
}
