import type { Clock } from '../clock.js';

/** Lets requests go one after the other, with an interval between them that may change at any time. */
export interface Pace {
  /** Milliseconds; 0: as soon as they come. */
  interval: number;
  /** Resolves when it is this request's turn, or when the signal is aborted. */
  turn(signal: AbortSignal): Promise<void>;
  /** The same for a request that goes before all others that wait. */
  firstTurn(signal: AbortSignal): Promise<void>;
}

export function createPace(clock: Clock): Pace {
  let last = -Infinity;
  let queue: Promise<unknown> = Promise.resolve();
  const wait = async (signal: AbortSignal): Promise<void> => {
    const ms = last + pace.interval - clock.now();
    if (ms > 0 && !signal.aborted) await clock.sleep(ms, signal);
    last = clock.now();
  };
  const pace: Pace = {
    interval: 0,
    turn(signal) {
      const turn = queue.then(() => wait(signal));
      queue = turn;
      return turn;
    },
    firstTurn: wait,
  };
  return pace;
}
