import { createHash } from 'node:crypto';
import { retryAfterOfAnswer } from '../chat/errors/retry-after.js';
import { endOf, type Exchange } from '../chat/exchange.js';
import { answerSignOf } from '../judge/refusals/classify.js';
import type { RunRequest } from '../journal/read-journal.js';
import type { StopReason } from '../journal/event.js';
import type { Group } from './scheduler.js';
import type { ModelState } from './target-state.js';
import { writtenJson } from '../json/json-text.js';

/** Not the answer itself, which may have megabytes. */
interface EarlierAnswer {
  /** Milliseconds since the epoch. */
  readonly endedAt: number;
  /** Milliseconds; null: the service does not say. */
  readonly retryAfter: number | null;
  readonly sign: ReturnType<typeof answerSignOf>;
  /** What happened: "HTTP 503", "connection reset". */
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

/** What came of a request: an exchange, or nothing because nothing more is sent. */
export type RequestResult = AskedResult | NotRequested;

interface AskedResult {
  readonly kind: 'exchange';
  readonly id: string;
  readonly exchange: Exchange;
}

export interface NotRequested {
  readonly kind: 'missing';
  readonly stop: StopReason;
}

/** What the next request of a trial, or of a row of plain requests, depends on. */
interface TrialSoFar {
  /** To open a model is part of the usual load; a question shows whether there is an outage, and goes first. */
  readonly kind: 'cell' | 'opening' | 'question';
  last: EarlierAnswer | null;
  /** Faults since the last answer. */
  faults: number;
  /** No wait goes beyond this, in milliseconds since the epoch; Infinity: none is cut short. */
  until: number;
  /** The last control within the trial, while it met load, and how many did so in a row. */
  control: { readonly last: EarlierAnswer; readonly faults: number } | null;
  /** Called when its first request goes: another trial may begin. */
  readonly underWay: () => void;
  /** Its first request goes together with those of other trials; null: alone. */
  readonly group: Group | null;
}

export const newTrial = (
  kind: TrialSoFar['kind'],
  underWay: () => void = () => undefined,
  group: Group | null = null,
): TrialSoFar => ({
  kind,
  last: null,
  faults: 0,
  control: null,
  until: Infinity,
  underWay,
  group,
});

export interface Requester {
  /**
   * Looks a request up in the journal, or sends it: after a fault when it may be repeated, and then in its turn.
   * @param trial its trial, which learns what came of it
   */
  readonly ask: (state: ModelState, request: RunRequest, trial: TrialSoFar) => Promise<RequestResult>;
  /** Only looks it up; null where it is not recorded. */
  readonly lookUp: (state: ModelState, request: RunRequest, trial: TrialSoFar) => Promise<AskedResult | null>;
}
