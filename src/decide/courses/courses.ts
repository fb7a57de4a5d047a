import type { CourseName, Ticket } from '../../plan/ticket.js';
import type { Course } from '../course.js';
import { confirmed } from './confirm.js';
import { sampleDecided } from './sequential.js';
import { sampleEnforce } from './enforce.js';
import { sampleFixed } from './fixed.js';
import { findOrRecheck } from './recheck.js';
import type { Asking, Sampled } from './sample.js';

/**
 * How verdicts are reached. Each course asks as its name says and then, where the ticket allows it, looks into a result
 * that surprises the baseline; `confirm` asks as the ticket's trials say.
 * @param plannedCells cells of the whole run, before any shard was cut
 */
export function coursesFor({ plannedCells }: { readonly plannedCells: number }): Record<CourseName, Course> {
  const cells = Math.max(1, plannedCells);
  const withConfirmation = (ask: (ticket: Ticket) => Asking<Sampled>): Course =>
    function* (ticket) {
      return yield* confirmed(ticket, yield* ask(ticket), cells);
    };
  return {
    fixed: withConfirmation(sampleFixed),
    decided: withConfirmation(sampleDecided),
    find: (ticket) => findOrRecheck(ticket, cells),
    enforce: withConfirmation(sampleEnforce),
    confirm: withConfirmation((ticket) => (ticket.trials.kind === 'decided' ? sampleDecided : sampleFixed)(ticket)),
  };
}
