import pLimit from 'p-limit';

/** Room for requests at the same time: fewer after the service complained, more again while it does not. */
export interface Slots {
  run<T>(task: () => Promise<T>): Promise<T>;
  /** The service said that it is too much to a request sent at `sentAt`; a burst of complaints counts once. */
  slowDown(sentAt: number, now: number): void;
  speedUp(): void;
  /** How many requests there is room for now. */
  room(): number;
}

/** Additive increase (one more for every round without a complaint), multiplicative decrease (half). */
export function createSlots(most: number): Slots {
  const limit = pLimit(most);
  let calmSince = -Infinity;
  let credit = 0;
  return {
    run: (task) => limit(task),
    slowDown(sentAt, now) {
      if (sentAt <= calmSince) return;
      calmSince = now;
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
