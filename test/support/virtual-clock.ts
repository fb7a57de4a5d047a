import type { Clock } from '../../src/run/clock.js';

/**
 * A clock that jumps to the next timer when there is no work to do. As with a real one, no two looks at it are equal.
 */
export interface VirtualClock extends Clock {
  /** Runs the clock until `work` settles. */
  runUntil<T>(work: Promise<T>): Promise<T>;
}

/** Milliseconds; exact in binary. */
const tick = 2 ** -10;

export function createVirtualClock(start = 1_000_000): VirtualClock {
  let now = start;
  let order = 0;
  const alarms = new Map<number, { at: number; ring: () => void }>();
  const idle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  return {
    now: () => (now += tick),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) {
          resolve();
          return;
        }
        const id = (order += 1);
        const ring = (): void => {
          alarms.delete(id);
          signal?.removeEventListener('abort', ring);
          resolve();
        };
        alarms.set(id, { at: now + Math.max(0, ms), ring });
        signal?.addEventListener('abort', ring);
      }),
    async runUntil(work) {
      const state = { settled: false };
      const done = work.finally(() => (state.settled = true));
      done.catch(() => {});
      for (;;) {
        await idle();
        await idle();
        if (state.settled) break;
        const next = [...alarms.values()].sort((a, b) => a.at - b.at)[0];
        if (next === undefined) continue;
        now = Math.max(now, next.at);
        next.ring();
      }
      return done;
    },
  };
}
