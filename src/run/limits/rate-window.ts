import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../clock.js';
import { shareOfLimit } from '../../config/share-of-limit.js';

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
   * Waits, in order of arrival, until a request of this many tokens fits into the sliding minute. null when the signal is
   * aborted first.
   * @param first does not wait for those that came before
   */
  admit(tokens: number, signal: AbortSignal, first?: boolean): Promise<Admission | null>;
  /**
   * Counts a request of an earlier session.
   * @param by when it had certainly arrived, in milliseconds since the epoch; what was in flight when that session ended
   * may still be on its way
   */
  recall(by: number, tokens: number): void;
  /** Requests that a minute allows: where tokens are limited, by what one took so far on average. Infinity: no limit. */
  perMinute(): number;
  /** Requests of this session that no longer count, since they were sent more than a minute ago. */
  gone(): number;
}

interface Rates {
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
}

export function isRateLimited({ requestsPerMinute, tokensPerMinute }: Rates): boolean {
  return requestsPerMinute !== null || tokensPerMinute !== null;
}

interface Entry {
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
 * What a service counts as tokens is known only from its answers: under a limit of tokens, the first request goes alone,
 * and what one took beyond its reservation is reserved on top for all that follow.
 * @param share the part of the limits that this run may use, above 0 and up to 1
 * @param onWait called before a wait, with its milliseconds
 */
export function createRateWindow(
  limits: Rates,
  share: number,
  clock: Clock,
  onWait: (ms: number) => void = () => undefined,
): RateWindow {
  if (!isRateLimited(limits)) return unlimited;
  const { mostRequests, length } = requestsIn(limits.requestsPerMinute, share);
  const mostTokens = limits.tokensPerMinute === null ? Infinity : shareOfLimit(limits.tokensPerMinute, share);
  /** Within the last window. */
  let entries: Entry[] = [];
  /** Tokens that a request took beyond its reservation, at most. */
  let surplus = 0;
  let answered = mostTokens === Infinity;
  /** Of this session. */
  const admitted = { requests: 0, tokens: 0 };
  let queue: Promise<unknown> = Promise.resolve();
  /** The current waits: after a settlement there may be room sooner. */
  const naps = new Set<AbortController>();
  const reconsider = (): void => {
    for (const nap of naps) nap.abort();
  };
  const leavesAt = (entry: Entry, now: number): number => arrivedBy(entry, now) + length;

  /** When a request of this many tokens fits, in milliseconds since the epoch; not after `now`: at once. */
  const fitsAt = (expected: number, now: number): number => {
    const tokens = expected + surplus;
    entries = entries.filter((entry) => leavesAt(entry, now) > now);
    let count = entries.length;
    let inWindow = entries.reduce((sum, entry) => sum + entry.tokens, 0);
    const fits = (): boolean => count < mostRequests && (inWindow === 0 || inWindow + tokens <= mostTokens);
    if (fits()) return now;
    let at = now;
    const leaving = entries.map((entry) => ({ at: leavesAt(entry, now), tokens: entry.tokens }));
    for (const next of leaving.sort((a, b) => a.at - b.at)) {
      if (fits()) break;
      count -= 1;
      inWindow -= next.tokens;
      at = next.at;
    }
    return at;
  };

  const enter = (tokens: number): Admission => {
    const entry: Entry = { tokens: tokens + surplus, sentAt: null, endedAt: null };
    entries.push(entry);
    admitted.requests += 1;
    admitted.tokens += entry.tokens;
    return {
      sent() {
        entry.sentAt = clock.now();
      },
      settle(actual) {
        answered = true;
        // What is larger than the whole limit says nothing of the others, and they could not go beside it anyway.
        if (actual <= mostTokens) surplus = Math.max(surplus, actual - tokens);
        admitted.tokens += actual - entry.tokens;
        entry.tokens = actual;
        entry.endedAt = clock.now();
        reconsider();
      },
      release() {
        entries = entries.filter((one) => one !== entry);
        admitted.requests -= 1;
        admitted.tokens -= entry.tokens;
        reconsider();
      },
    };
  };

  const waitInTurn = async (tokens: number, signal: AbortSignal): Promise<Admission | null> => {
    while (!signal.aborted) {
      const now = clock.now();
      const afterFirst = !answered && entries.length > 0;
      const at = fitsAt(tokens, now);
      if (at <= now && !afterFirst) return enter(tokens);
      const nap = new AbortController();
      naps.add(nap);
      signal.addEventListener('abort', reconsider);
      if (afterFirst) await new Promise((resolve) => nap.signal.addEventListener('abort', resolve));
      else {
        onWait(at - now);
        await clock.sleep(at - now, nap.signal);
        // A clock that does not wait must not keep what has to be sent first from the event loop.
        if (entries.some(isUnsent)) await setImmediate();
      }
      signal.removeEventListener('abort', reconsider);
      naps.delete(nap);
    }
    return null;
  };

  return {
    admit(tokens, signal, first = false) {
      if (first) return waitInTurn(tokens, signal);
      const turn = queue.then(() => waitInTurn(tokens, signal));
      queue = turn;
      return turn;
    },
    recall(by, tokens) {
      const now = clock.now();
      answered = true;
      const entry: Entry = { tokens, sentAt: null, endedAt: Math.min(by, now + longestTravel) };
      if (leavesAt(entry, now) > now) entries.push(entry);
    },
    perMinute() {
      const each = admitted.tokens / Math.max(1, admitted.requests);
      return Math.max(1, Math.min(mostRequests, Math.floor(mostTokens / each)));
    },
    gone() {
      const now = clock.now();
      return admitted.requests - entries.filter((entry) => leavesAt(entry, now) > now).length;
    },
  };
}

const isUnsent = ({ sentAt, endedAt }: Entry): boolean => sentAt === null && endedAt === null;

/** The latest time at which a request can have arrived, as far as that is known. */
function arrivedBy({ sentAt, endedAt }: Entry, now: number): number {
  return Math.min(endedAt ?? Infinity, (sentAt ?? now) + longestTravel);
}

const free: Admission = { sent: () => undefined, settle: () => undefined, release: () => undefined };
const unlimited: RateWindow = {
  admit: (_, signal) => Promise.resolve(signal.aborted ? null : free),
  recall: () => undefined,
  perMinute: () => Infinity,
  gone: () => 0,
};

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
