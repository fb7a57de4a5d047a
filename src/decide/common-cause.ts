import type { Outcome } from '../judge/outcome.js';
import { hasRate, type Ticket } from '../plan/ticket.js';

/** So many trials that all failed alike show that a cell fails for the cause that another one has proved. */
export const enoughAlike = 2;

/** Failures of a model with the same class and reason have the same cause. */
export function nameOfCause({ cell }: Ticket, { class: failure, reason }: Pick<Outcome, 'class' | 'reason'>): string {
  return JSON.stringify([cell.model.key, failure, reason]);
}

/**
 * The cause that a cell shows which is expected to pass, and which another cell may prove for it.
 * null: some trials passed, they failed in several ways, or they are too few. A threshold and a keyword need a proof of
 * their own.
 */
export function causeIn(ticket: Ticket, outcomes: readonly Outcome[]): string | null {
  const judged = outcomes.filter(({ fault }) => !fault);
  if (ticket.expected.kind === 'new' || !hasRate(ticket) || judged.length < enoughAlike) return null;
  const causes = new Set(judged.map((outcome) => (outcome.passed ? null : nameOfCause(ticket, outcome))));
  const [cause = null] = causes;
  return causes.size === 1 ? cause : null;
}
