import pLimit from 'p-limit';

/** Limits the requests at a time: fewer after a complaint of the service, gradually more without one. */
export interface Slots {
  run<T>(task: () => Promise<T>): Promise<T>;
  /** The service refused a request sent at `sentAt` (milliseconds) as too many. A burst of refusals counts once. */
  slowDown(sentAt: number, now: number): void;
  speedUp(): void;
  /** How many requests may be in flight now. */
  room(): number;
}

/**
 * Additive increase (one more for each round without a complaint), multiplicative decrease (half), as in TCP.
 * @param most requests at a time
 */
export function createSlots(most: number): Slots {
  const limit = pLimit(most);
  let lastSlowDown = -Infinity;
  let credit = 0;
  return {
    run: (task) => limit(task),
    slowDown(sentAt, now) {
      if (sentAt <= lastSlowDown) return;
      lastSlowDown = now;
      credit = 0;
      limit.concurrency = Math.max(1, Math.floor(limit.concurrency / 2));
    },
    speedUp() {
      if (limit.concurrency >= most) return;
      credit += 1 / limit.concurrency;
      if (credit < 1) return;
      credit = 0;
      limit.concurrency += 1;
    },
    room: () => limit.concurrency,
  };
}
