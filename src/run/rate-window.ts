import { shareOfLimit } from '../config/accounts.js';
import type { Clock } from './clock.js';

/** A request that counts against the sliding minute. */
export interface Admission {
  /** The request has left this process. Without it, the request counts from its end. */
  sent(): void;
  /** The request is over. Replaces the tokens reserved for it by those it really took. */
  settle(tokens: number): void;
  /** The request is not sent. */
  release(): void;
}

export interface RateWindow {
  /**
   * The time at which requests of this many tokens together fit into the sliding minute, in milliseconds since the
   * epoch; not after `now`: at once. Infinity: when another one has been answered.
   */
  fitsAt(tokens: number, now: number, requests?: number): number;
  enter(tokens: number): Admission;
  /**
   * Counts a request of an earlier session.
   * @param by when it had certainly arrived, in milliseconds since the epoch; what was in flight when that session
   * ended may still be on its way
   */
  recall(by: number, tokens: number): void;
}

interface Rates {
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
}

export function isRateLimited({ requestsPerMinute, tokensPerMinute }: Rates): boolean {
  return requestsPerMinute !== null || tokensPerMinute !== null;
}

interface WindowEntry {
  tokens: number;
  /** Milliseconds since the epoch; null: not yet. */
  sentAt: number | null;
  endedAt: number | null;
}

const minute = 60_000;
/**
 * Milliseconds on top of a minute. Two clocks that time servers slew by 500 ppm each, in opposite directions, differ by
 * 60 of them; the rest is for rounded timestamps.
 */
const margin = 100;
/**
 * Milliseconds that a sent request may take to arrive: TCP sends a lost packet again after one second, and after two
 * more (RFC 6298).
 */
const longestTravel = 3000;

/**
 * Limits requests and tokens per sliding minute, as the service counts them: by arrival. When a request arrives is not
 * known, only that it is after it was admitted and before it is answered, or has been travelling for too long. So one
 * counts from the earliest of its times and until a minute after the latest, whatever held it up on the way: a new
 * connection, a busy machine. Requests go out as soon as they fit, so that a rate-limited run loses next to no time. A
 * request that is larger than the whole limit goes when the window is otherwise empty.
 *
 * Tokens, as a service counts them, are known only from its answers: under a limit of tokens, the first request goes
 * alone, and what one took beyond its reservation is reserved on top for all that follow.
 * @param share the part of the limits that this run may use, above 0 and up to 1
 */
export function createRateWindow(limits: Rates, share: number, clock: Clock): RateWindow {
  if (!isRateLimited(limits)) return unlimited;
  const { mostRequests, length } = requestsIn(limits.requestsPerMinute, share);
  const mostTokens = limits.tokensPerMinute === null ? Infinity : shareOfLimit(limits.tokensPerMinute, share);
  /** Within the last window. */
  let entries: WindowEntry[] = [];
  /** Tokens that a request took beyond its reservation, at most. */
  let surplus = 0;
  let answered = mostTokens === Infinity;
  const leavesAt = (entry: WindowEntry, now: number): number => arrivedBy(entry, now) + length;

  return {
    fitsAt(expected, now, requests = 1) {
      const tokens = expected + surplus;
      entries = entries.filter((entry) => leavesAt(entry, now) > now);
      if (!answered && entries.length > 0) return Infinity;
      let count = entries.length;
      let inWindow = entries.reduce((sum, entry) => sum + entry.tokens, 0);
      const fits = (): boolean =>
        count + requests <= mostRequests && (inWindow === 0 || inWindow + tokens <= mostTokens);
      let at = now;
      if (fits()) return at;
      const leaving = entries.map((entry) => ({ at: leavesAt(entry, now), tokens: entry.tokens }));
      for (const next of leaving.sort((a, b) => a.at - b.at)) {
        if (fits()) break;
        count -= 1;
        inWindow -= next.tokens;
        at = next.at;
      }
      return at;
    },
    enter(tokens) {
      const entry: WindowEntry = { tokens: tokens + surplus, sentAt: null, endedAt: null };
      entries.push(entry);
      return {
        sent() {
          entry.sentAt = clock.now();
        },
        settle(actual) {
          answered = true;
          // A request larger than the whole limit says nothing of the others, which could not go beside it anyway.
          if (actual <= mostTokens) surplus = Math.max(surplus, actual - tokens);
          entry.tokens = actual;
          entry.endedAt = clock.now();
        },
        release() {
          entries = entries.filter((one) => one !== entry);
        },
      };
    },
    recall(by, tokens) {
      const now = clock.now();
      answered = true;
      const entry: WindowEntry = { tokens, sentAt: null, endedAt: Math.min(by, now + longestTravel) };
      if (leavesAt(entry, now) > now) entries.push(entry);
    },
  };
}

/** The latest time at which a request can have arrived, as far as that is known. */
function arrivedBy({ sentAt, endedAt }: WindowEntry, now: number): number {
  return Math.min(endedAt ?? Infinity, (sentAt ?? now) + longestTravel);
}

const free: Admission = { sent: () => undefined, settle: () => undefined, release: () => undefined };
const unlimited: RateWindow = { fitsAt: () => -Infinity, enter: () => free, recall: () => undefined };

/** A share of less than one request a minute becomes one request in a longer window. */
function requestsIn(
  perMinute: number | null,
  share: number,
): { readonly mostRequests: number; readonly length: number } {
  if (perMinute === null) return { mostRequests: Infinity, length: minute + margin };
  const most = perMinute * share;
  if (most >= 1 - 1e-9) return { mostRequests: shareOfLimit(perMinute, share), length: minute + margin };
  return { mostRequests: 1, length: minute / most + margin };
}
