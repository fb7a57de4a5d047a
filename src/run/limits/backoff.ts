import { createHash } from 'node:crypto';
import type { Answer } from '../../chat/exchange.js';
import type { Question } from '../../journal/recorded-run.js';

const longestBackoff = 60_000;

/** Milliseconds before a repetition: doubling, spread by up to a quarter so that many do not come back at once. */
export function backoffMs(question: Question, first: number): number {
  const { model, cell, ask, send } = question;
  const key = JSON.stringify([cell ?? model, ask?.kind ?? null, ask?.sample ?? null, send.step, send.attempt]);
  const spread = createHash('sha256').update(key).digest().readUInt16BE(0) / 0xffff;
  return Math.min(longestBackoff, first * 2 ** (send.attempt - 1)) * (1 + spread / 4);
}

/** Trouble that waiting may mend. */
export function looksLikeFault({ status, failure }: Answer): boolean {
  return failure !== null || status === null || status === 408 || status === 429 || status >= 500;
}
