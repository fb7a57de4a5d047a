import type { Range } from './amount.js';
import type { Ticket } from '../plan/ticket.js';

/** A server error that belongs to the request is asked twice, then a control, then once more. */
const requestsOfServerError = 4;

/**
 * How many requests a trial takes: those of its steps, and what the client's own retries add. A cell that is known to fail
 * ends its flow early, and repeats what it is known to repeat.
 * @param steps that ask
 */
export function requestsATrial({ cell: { probe }, expected }: Ticket, steps: number): Range {
  const { retry } = probe;
  const largest = steps * (1 + (retry?.max ?? 0));
  if (expected.kind !== 'entry' || expected.entry.verdict !== 'fail') return { expected: steps, largest };
  const { class: failure, status } = expected.entry;
  // It fails at the first step or at a later one.
  const reached = (1 + steps) / 2;
  const isServerError = failure === 'http_error' && status !== null && status >= 500;
  const retries = retry !== null && failure !== null && retry.on.includes(failure) ? retry.max : 0;
  return { expected: reached + (isServerError ? requestsOfServerError - 1 : 0) + retries, largest };
}

/** A refusal is not billed. */
export const isBilled = ({ expected }: Ticket): boolean =>
  expected.kind !== 'entry' || expected.entry.verdict !== 'fail' || expected.entry.class !== 'http_error';
