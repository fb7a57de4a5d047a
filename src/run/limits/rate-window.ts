import type { Clock } from '../clock.js';
import { shareOfLimit } from './share-of-limit.js';

/** A request that counts against the sliding minute. */
export interface Admission {
  /** Replaces the tokens reserved for the request by those it really took. */
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
}

interface Entry {
  readonly at: number;
  tokens: number;
}

/** Milliseconds on top of a minute: a service counts when a request arrives, and delays on the network differ. */
const margin = 100;
const minute = 60_000;

/**
 * Limits requests and tokens per sliding minute. Requests go out as soon as they fit, so that a rate-limited run loses
 * no time. A request that is larger than the whole limit goes when the window is otherwise empty.
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
  const mostTokens = limits.tokensPerMinute === null ? Infinity : shareOfLimit(limits.tokensPerMinute, share);
  if (mostRequests === Infinity && mostTokens === Infinity) {
    const free: Admission = { settle: () => undefined, release: () => undefined };
    return { admit: (_, signal) => Promise.resolve(signal.aborted ? null : free) };
  }
  /** Within the last window, oldest first. */
  const entries: Entry[] = [];
  let queue: Promise<unknown> = Promise.resolve();
  /** The current waits: after a settlement there may be room sooner. */
  const naps = new Set<AbortController>();
  const reconsider = (): void => {
    for (const nap of naps) nap.abort();
  };

  /** When a request of this many tokens fits, in milliseconds since the epoch; not after `now`: at once. */
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
          release() {
            const place = entries.indexOf(entry);
            if (place >= 0) entries.splice(place, 1);
            reconsider();
          },
        };
      }
      onWait(at - now);
      const nap = new AbortController();
      naps.add(nap);
      signal.addEventListener('abort', reconsider);
      await clock.sleep(at - now, nap.signal);
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
  };
}

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
