import type { WaitingRoom } from '../order/waiting-room.js';

/** How the trials of a batch are let begin. */
export interface BatchLimits {
  /** Trials that may be unfinished. */
  readonly most: number;
  /** Shared by all batches of a model. */
  readonly room: WaitingRoom;
  /** Of the batch among them. */
  readonly rank: number;
}

/**
 * Runs the trials of a batch at the same time, as many as are allowed, and in the order of the asks. A trial begins when
 * one that waits for its turn is under way: trials that wait take memory, which the garbage collector copies as long as
 * they wait, and with ten models of 50 trials each that was a third of a run's CPU time.
 * @param tryOne calls `underWay` when the trial no longer waits for its turn, at its end at the latest
 */
export function runBatch<Ask, End>(
  asks: readonly Ask[],
  { most, room, rank }: BatchLimits,
  tryOne: (ask: Ask, index: number, underWay: () => void) => Promise<End>,
): Promise<readonly End[]> {
  return new Promise((resolve, reject) => {
    // Allocated whole: a batch takes its memory when it begins, and does not grow while it is asked.
    const ends = new Array<End>(asks.length);
    let next = 0;
    let unfinished = 0;
    let ended = 0;
    /** The next one is at the door, so that a batch of thousands takes no more room there than one of two. */
    let isEntering = false;

    const begin = (): void => {
      isEntering = false;
      const index = next;
      next += 1;
      let isUnderWay = false;
      const underWay = (): void => {
        if (isUnderWay) return;
        isUnderWay = true;
        room.leave();
      };
      const trial = tryOne(asks[index] as Ask, index, underWay);
      trial.then(underWay, underWay);
      trial.then((end) => {
        ends[index] = end;
        unfinished -= 1;
        ended += 1;
        if (ended === asks.length) resolve(ends);
        enterNext();
      }, reject);
      enterNext();
    };
    const enterNext = (): void => {
      if (isEntering || next >= asks.length || unfinished >= most) return;
      isEntering = true;
      unfinished += 1;
      room.enter(rank, begin);
    };
    enterNext();
    if (asks.length === 0) resolve(ends);
  });
}
