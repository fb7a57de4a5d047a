import { withLearned } from '../baseline/knowledge.js';
import type { Learned } from '../baseline/learned.js';
import type { Plan, Ticket } from './ticket.js';

/** What a plan needs to know of the run before. */
export interface RunBefore {
  /** By cell key: what was learned of cells since the baseline accepted them. */
  readonly learned: ReadonlyMap<string, Learned>;
  /** The cells whose own samples confirmed a regression, alarm or not; null: it is not known. */
  readonly confirmed: ReadonlySet<string> | null;
}

/**
 * The plan, its cells expected with all that earlier runs learned of them, and those asked afresh that the run before saw
 * drop. Its digest stays: the same requests are planned.
 */
export function planAfter(plan: Plan, before: RunBefore | null | undefined): Plan {
  if (!before || (before.learned.size === 0 && (before.confirmed?.size ?? 0) === 0)) return plan;
  return {
    ...plan,
    tickets: plan.tickets.map((ticket) => ticketAfter(ticket, before)),
    reserve: plan.reserve.map((one) => ({ ...one, ticket: ticketAfter(one.ticket, before) })),
  };
}

export function ticketAfter(ticket: Ticket, { learned, confirmed }: RunBefore): Ticket {
  const { key } = ticket.cell;
  const since = learned.get(key);
  const dropped = confirmed?.has(key) ?? false;
  if (since === undefined && !dropped) return ticket;
  return { ...ticket, expected: withLearned(ticket.expected, since), ...(dropped && { dropped }) };
}
