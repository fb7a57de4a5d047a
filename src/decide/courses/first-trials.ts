import { groupBy } from '../../json/group-by.js';
import type { Ticket } from '../../plan/ticket.js';
import type { FirstTrials } from '../course.js';
import type { SampledCell } from './sample.js';
import { fewestTrials } from './sequential.js';

/** What the trials showed that the course asks of every such cell, whatever they show. */
export function firstTrialsOf(ticket: Ticket, { sample, isSameQuestion }: SampledCell): FirstTrials {
  const first = sample.judged(isSameQuestion).slice(0, fewestTrials(ticket));
  const failed = first.flatMap(({ outcome }) => (outcome.passed ? [] : [outcome]));
  const kinds = groupBy(failed, (outcome) => JSON.stringify([outcome.class, outcome.reason]));
  return {
    total: first.length,
    failed: [...kinds.values()].flatMap((alike) =>
      alike.slice(0, 1).map(({ class: outcome, reason }) => ({ class: outcome, reason, count: alike.length })),
    ),
  };
}
