import { setTimeout as wait } from 'node:timers/promises';

/** The only source of time in a run, so that tests can set it. */
export interface Clock {
  /** Milliseconds since the epoch; never runs backwards. */
  now(): number;
  /** Resolves after `ms` milliseconds, or as soon as the signal is aborted; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: (ms, signal) =>
    wait(ms, undefined, signal === undefined ? {} : { signal }).catch(() => {
      // Aborted: the sleep is over.
    }),
};
