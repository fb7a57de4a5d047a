import type { Clock } from '../clock.js';
import { wholePart } from './whole-part.js';

/** A request that counts against the sliding minute. */
export interface Admission {
  /** What the request really took, in place of what was reserved for it. */
  settle(tokens: number): void;
}

export interface RateWindow {
  /**
   * Waits, in order of arrival, until a request of so many tokens fits into the sliding minute. Null when the signal
   * was aborted first.
   */
  admit(tokens: number, signal: AbortSignal): Promise<Admission | null>;
}

interface Entry {
  readonly at: number;
  tokens: number;
}

/** A service counts when a request arrives; a little more than a minute keeps the network's delays from mattering. */
const margin = 100;
const minute = 60_000;

/**
 * Requests and tokens per sliding minute. Requests go out as soon as they fit, so that a run limited by rate loses
 * nothing. A request that alone is larger than the limit goes when the window holds nothing else.
 * @param share the part of the limits that this run may use, above 0 and up to 1
 * @param onWait called before a wait, with its milliseconds
 */
export function createRateWindow(
  limits: { readonly requestsPerMinute: number | null; readonly tokensPerMinute: number | null },
  share: number,
  clock: Clock,
  onWait: (ms: number) => void = () => undefined,
): RateWindow {
  const { mostRequests, length } = requestsIn(limits.requestsPerMinute, share);
  const mostTokens = limits.tokensPerMinute === null ? Infinity : wholePart(limits.tokensPerMinute, share);
  if (mostRequests === Infinity && mostTokens === Infinity) {
    const free: Admission = { settle: () => undefined };
    return { admit: (_, signal) => Promise.resolve(signal.aborted ? null : free) };
  }
  /** Within the last window, oldest first. */
  const entries: Entry[] = [];
  let queue: Promise<unknown> = Promise.resolve();
  /** Ends the current wait: something was settled, so that the place may be there sooner. */
  let reconsider: () => void = () => undefined;

  /** When a request of so many tokens fits; now or earlier means at once. */
  const fitsAt = (tokens: number, now: number): number => {
    while (entries[0] !== undefined && entries[0].at + length <= now) entries.shift();
    const crowding = entries[entries.length - mostRequests];
    let at = crowding === undefined ? now : crowding.at + length;
    let inWindow = entries.reduce((sum, entry) => sum + entry.tokens, 0);
    for (const entry of entries) {
      if (inWindow === 0 || inWindow + tokens <= mostTokens) break;
      inWindow -= entry.tokens;
      at = Math.max(at, entry.at + length);
    }
    return at;
  };

  const waitInTurn = async (tokens: number, signal: AbortSignal): Promise<Admission | null> => {
    while (!signal.aborted) {
      const now = clock.now();
      const at = fitsAt(tokens, now);
      if (at <= now) {
        const entry: Entry = { at: now, tokens };
        entries.push(entry);
        return {
          settle(actual) {
            entry.tokens = actual;
            reconsider();
          },
        };
      }
      onWait(at - now);
      const nap = new AbortController();
      reconsider = () => {
        nap.abort();
      };
      signal.addEventListener('abort', reconsider);
      await clock.sleep(at - now, nap.signal);
      signal.removeEventListener('abort', reconsider);
    }
    return null;
  };

  return {
    admit(tokens, signal) {
      const turn = queue.then(() => waitInTurn(tokens, signal));
      queue = turn;
      return turn;
    },
  };
}

/** A share below one request a minute makes the minute longer instead. */
function requestsIn(
  perMinute: number | null,
  share: number,
): { readonly mostRequests: number; readonly length: number } {
  if (perMinute === null) return { mostRequests: Infinity, length: minute + margin };
  const most = perMinute * share;
  if (most >= 1 - 1e-9) return { mostRequests: wholePart(perMinute, share), length: minute + margin };
  return { mostRequests: 1, length: minute / most + margin };
}
