import { createHash } from 'node:crypto';
import type { Answer } from '../../chat/exchange.js';
import type { RunRequest } from '../../journal/recorded-exchanges.js';

const longestBackoff = 60_000;

/** Doublings of the wait. */
const mostWhileUp = 1;

/**
 * Milliseconds to wait before an attempt: doubles with each, plus up to a quarter so that requests that failed together
 * do not all come back at once. The same request always waits equally long.
 * @param first milliseconds before the first repetition
 * @param isUp the model answers others: there is no outage to outlast
 */
export function backoffMs(request: RunRequest, first: number, isUp = false): number {
  const { model, cell, ask, send } = request;
  const key = JSON.stringify([cell ?? model, ask?.kind ?? null, ask?.sample ?? null, send.step, send.attempt]);
  const jitter = createHash('sha256').update(key).digest().readUInt16BE(0) / 0xffff;
  const doublings = Math.min(send.attempt - 1, isUp ? mostWhileUp : Infinity);
  return Math.min(longestBackoff, first * 2 ** doublings) * (1 + jitter / 4);
}

/** Whether the same request may get a better answer later. */
export function isTemporary({ status, failure }: Answer): boolean {
  return failure !== null || status === null || status === 408 || status === 429 || status >= 500;
}
