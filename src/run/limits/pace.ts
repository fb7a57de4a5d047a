import type { Clock } from '../clock.js';

/** Lets requests go one after the other, with an interval between them that may change at any time. */
export interface Pace {
  /** Milliseconds; 0: as soon as they come. */
  interval: number;
  /** Resolves when it is this request's turn, or when the signal is aborted. */
  turn(signal: AbortSignal): Promise<void>;
}

export function createPace(clock: Clock): Pace {
  let last = -Infinity;
  let queue: Promise<unknown> = Promise.resolve();
  const pace: Pace = {
    interval: 0,
    turn(signal) {
      const wait = async (): Promise<void> => {
        const ms = last + pace.interval - clock.now();
        if (ms > 0 && !signal.aborted) await clock.sleep(ms, signal);
        last = clock.now();
      };
      const turn = queue.then(wait);
      queue = turn;
      return turn;
    },
  };
  return pace;
}
