import type { Clock } from '../clock.js';

/** Lets requests go one after the other, with an interval between them that may change at any time. */
export interface Pace {
  /** Milliseconds; 0: as soon as they come. */
  interval: number;
  /** Resolves when it is this request's turn, or when the signal is aborted; null: it is its turn now. */
  turn(signal: AbortSignal): Promise<void> | null;
  /** The same for a request that goes before all others that wait. */
  firstTurn(signal: AbortSignal): Promise<void>;
}

export function createPace(clock: Clock): Pace {
  let last = -Infinity;
  let queue: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  const wait = async (signal: AbortSignal): Promise<void> => {
    const ms = last + pace.interval - clock.now();
    if (ms > 0 && !signal.aborted) await clock.sleep(ms, signal);
    last = clock.now();
  };
  const pace: Pace = {
    interval: 0,
    turn(signal) {
      if (pace.interval === 0 && waiting === 0) {
        last = clock.now();
        return null;
      }
      waiting += 1;
      const turn = queue.then(() => wait(signal)).finally(() => (waiting -= 1));
      queue = turn;
      return turn;
    },
    firstTurn: wait,
  };
  return pace;
}
