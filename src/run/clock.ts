/** The only source of time in a run, so that tests can turn it by hand. */
export interface Clock {
  /** Milliseconds since the epoch; never runs backwards. */
  now(): number;
  /** Resolves after `ms` milliseconds, or as soon as the signal is aborted; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) {
        resolve();
        return;
      }
      const wake = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      signal?.addEventListener('abort', wake);
    }),
};
