import { isLoadStatus } from '../../../chat/errors/load-status.js';
import type { Exchange } from '../../../chat/exchange.js';
import { isFailure } from '../../../run/limits/failure.js';

/** What is known of a model while it is asked. */
export interface ModelSoFar {
  readonly target: string;
  readonly concurrency: number;
  cells: number;
  /** Requests that are expected. */
  left: number;
  /**
   * Counts an answer of this run.
   * @param at milliseconds since the epoch
   * @param isControl it is the plain request that opens the model
   */
  readonly answered: (exchange: Exchange, at: number, isControl: boolean) => void;
  /** A trial of so many expected requests has ended. */
  readonly ended: (requests: number, at: number) => void;
  readonly speed: (at: number) => Speed;
}

/** How fast a model is, as far as this run has shown. Times are in milliseconds. */
export interface Speed {
  /** For which an expected request keeps a slot, with what was sent again; null: nothing was answered. */
  readonly each: number | null;
  /** For which all its requests together kept a slot. */
  readonly busy: number;
  /**
   * Expected requests a millisecond of late, where refusals and failures hold it up and not the number of slots; null:
   * nothing does.
   */
  readonly held: number | null;
  /** Much of its time goes to requests that fail, which are sent again and lead to further trials. */
  readonly fails: boolean;
  /** Some of its requests are answered, or none has ended yet: those to come need not fail. */
  readonly isErratic: boolean;
  /** The end of its last answer, since the epoch; null: there is none. */
  readonly lastAnswer: number | null;
}

/** Of a slot: a model that uses more of one on average waits for slots. */
const mostHeld = 0.5;
/** So many of the last trials show how fast it is now. */
const shown = 24;
/** Milliseconds for which a refusal is remembered: requests may follow slowly for long without another one. */
const remembered = 5 * 60_000;
/** The part of its time above which failures say more than answers. */
const mostFailing = 0.4;

interface Sums {
  answers: number;
  /** Answers to probes that are neither refused for load nor failed. */
  good: number;
  goodMs: number;
  failedMs: number;
  allMs: number;
  /** Expected requests of trials that have ended. */
  ended: number;
}

export function modelSoFar(target: string, concurrency: number): ModelSoFar {
  const sums: Sums = { answers: 0, good: 0, goodMs: 0, failedMs: 0, allMs: 0, ended: 0 };
  /** When it was first asked, and then the ends of its last trials. */
  const ends: { at: number; requests: number }[] = [];
  let troubledAt = -Infinity;
  let lastAnswer: number | null = null;
  return {
    ...{ target, concurrency, cells: 0, left: 0 },
    answered({ answer, timing: { total_ms } }, at, isControl) {
      if (ends.length === 0) ends.push({ at: at - total_ms, requests: 0 });
      lastAnswer = at;
      sums.answers += 1;
      sums.allMs += total_ms;
      const isRefused = isLoadStatus(answer.status);
      const isFailed = !isRefused && isFailure(answer);
      if (isRefused || isFailed) troubledAt = at;
      if (isFailed) sums.failedMs += total_ms;
      if (isRefused || isFailed || isControl) return;
      sums.good += 1;
      sums.goodMs += total_ms;
    },
    ended(requests, at) {
      sums.ended += requests;
      ends.push({ at, requests });
      if (ends.length > shown + 1) ends.shift();
    },
    speed(at) {
      const fails = sums.failedMs > mostFailing * sums.allMs;
      const isErratic = fails && (sums.good > 0 || sums.ended === 0);
      const each = eachOf(sums, isErratic);
      return {
        each,
        busy: sums.allMs,
        held: isErratic || troubledAt < at - remembered ? null : rateWhereSlow(at, ends, each),
        ...{ fails, isErratic, lastAnswer },
      };
    },
  };
}

function eachOf({ answers, good, goodMs, allMs, ended }: Sums, isErratic: boolean): number | null {
  // A model that never answers may be given up at any time.
  if (isErratic) return mean(goodMs, good) ?? 0;
  return mean(allMs, ended) ?? mean(allMs, answers);
}

/** Null where its requests overlap, so that slots are what it waits for. */
function rateWhereSlow(
  at: number,
  [first, ...others]: readonly { readonly at: number; readonly requests: number }[],
  each: number | null,
): number | null {
  const requests = others.reduce((sum, one) => sum + one.requests, 0);
  if (first === undefined || each === null || requests === 0) return null;
  // What is under way is half done on average.
  const rate = (requests + 0.5) / (at - first.at);
  return rate * each < mostHeld ? rate : null;
}

const mean = (sum: number, count: number): number | null => (count === 0 ? null : sum / count);
