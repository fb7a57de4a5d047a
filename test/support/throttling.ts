import type { Answer } from '../../src/chat/exchange.js';

/** What a machine in front of a service lets through. */
export interface Throttle {
  /** At once. */
  readonly concurrency?: number;
  /** A bucket that refills evenly. */
  readonly perSecond?: number;
  /** The bucket's size; by default what refills in a second. */
  readonly burst?: number;
  /** In any sliding minute. */
  readonly perMinute?: number;
}

export interface Gate {
  /** Whether the request is let in. Each that is must leave. */
  enter(now: number): boolean;
  leave(): void;
  readonly counts: { let: number; refused: number };
}

/** @param now the time of its first request, in milliseconds */
export function createGate({ concurrency = Infinity, perSecond, burst, perMinute = Infinity }: Throttle): Gate {
  const counts = { let: 0, refused: 0 };
  const size = burst ?? perSecond ?? Infinity;
  let tokens = size;
  let filledAt: number | null = null;
  let inside = 0;
  const minute: number[] = [];
  return {
    counts,
    enter(now) {
      if (perSecond !== undefined) {
        tokens = Math.min(size, tokens + ((now - (filledAt ?? now)) / 1000) * perSecond);
        filledAt = now;
      }
      while (minute[0] !== undefined && minute[0] <= now - 60_000) minute.shift();
      if (inside >= concurrency || tokens < 1 || minute.length >= perMinute) {
        counts.refused += 1;
        return false;
      }
      tokens -= 1;
      inside += 1;
      minute.push(now);
      counts.let += 1;
      return true;
    },
    leave() {
      inside -= 1;
    },
  };
}

const page =
  '<html>\r\n<head><title>503 Service Temporarily Unavailable</title></head>\r\n<body>\r\n<center><h1>503 Service Temporarily Unavailable</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n';
const json = (message: string, more: object = {}): string => JSON.stringify({ error: { message, ...more } });
type Refusal = Pick<Answer, 'status' | 'headers'> & { readonly text: string };

/** The many ways in which a service says that there is too much to do. */
export const refusals = {
  'a 503 with the page of nginx': { status: 503, headers: { 'content-type': 'text/html' }, text: page },
  'a 503 without a body': { status: 503, headers: {}, text: '' },
  'a 503 with JSON': { status: 503, headers: {}, text: json('The model is busy', { type: 'server_error' }) },
  'a 529': { status: 529, headers: {}, text: json('Overloaded', { type: 'overloaded_error' }) },
  'a 429 with a page': { status: 429, headers: { 'content-type': 'text/html' }, text: page.replaceAll('503', '429') },
  'a 429 with JSON': { status: 429, headers: {}, text: json('Too many requests', { code: 'rate_limit_exceeded' }) },
  'a 429 with Retry-After': { status: 429, headers: { 'retry-after': '1' }, text: json('Too many requests') },
  'a 503 with retry-after-ms': { status: 503, headers: { 'retry-after-ms': '400' }, text: '' },
} as const satisfies Readonly<Record<string, Refusal>>;

export type RefusalName = keyof typeof refusals;
