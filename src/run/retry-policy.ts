import { createHash } from 'node:crypto';
import { retryAfterOfAnswer } from '../chat/errors/retry-after.js';
import { endOf, type Exchange } from '../chat/exchange.js';
import type { ModelConfig } from '../config/config.js';
import type { StopReason } from '../journal/event.js';
import { answerSignOf } from '../judge/refusals/classify.js';
import type { RunRequest } from '../journal/read-journal.js';
import { writtenJson } from '../json/json.js';

/** The facts of an answer that later requests depend on, without its body, which may have megabytes. */
export interface EarlierAnswer {
  /** Milliseconds since the epoch. */
  readonly endedAt: number;
  /** Milliseconds; null: the service does not say. */
  readonly retryAfter: number | null;
  readonly sign: ReturnType<typeof answerSignOf>;
  /** In a few words: "HTTP 503", "connection reset". */
  readonly cause: string;
}

export function earlierAnswer({ request, answer, ...exchange }: Exchange, now: number): EarlierAnswer {
  const { status, failure } = answer;
  const wait = retryAfterOfAnswer(answer, now);
  return {
    endedAt: endOf({ request, answer, ...exchange }),
    retryAfter: wait === null ? null : 1000 * wait,
    sign: answerSignOf(request.body, answer),
    cause: failure === null ? `HTTP ${status ?? 'none'}` : failure.kind.replaceAll('_', ' '),
  };
}

/** Milliseconds. A service that asks for a longer pause (a used-up day or plan) is not waited for. */
export const longestPause = 5 * 60_000;

export function longPause({ key }: ModelConfig, ms: number): StopReason {
  return { kind: 'long_pause', answered_by: key, seconds: Math.round(ms / 1000) };
}

const longestBackoff = 60_000;

/**
 * Milliseconds that are left until a request may repeat a fault: what the service asks for, be it 0, and otherwise
 * twice as long each time. Up to a quarter is added, so that requests that failed together do not all come back at
 * once; the same request always waits equally long.
 * @param backoff milliseconds before the first repetition, and how many faults there were
 */
export function waitBeforeRepeat(
  { model, cell, ask, send }: RunRequest,
  earlier: EarlierAnswer,
  backoff: { readonly first: number; readonly faults: number },
  now: number,
): number {
  const wait = earlier.retryAfter ?? Math.min(longestBackoff, backoff.first * 2 ** (backoff.faults - 1));
  const key = writtenJson([cell ?? model, ask?.kind ?? null, ask?.sample ?? null, send.step, send.attempt]);
  const jitter = createHash('sha256').update(key).digest().readUInt16BE(0) / 0xffff;
  return Math.max(0, earlier.endedAt + wait * (1 + jitter / 4) - now);
}
