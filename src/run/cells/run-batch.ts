/** So many trials of a batch wait for their turn: the cells of most profiles, as a whole, before those that come later. */
const mostWaiting = 10;

/**
 * Runs the trials of a batch at the same time, as many as are allowed, and in the order of the asks. Of a long batch, a
 * trial begins when one that waits for its turn is under way: trials that wait take memory, which the garbage collector
 * copies as long as they wait, and with ten models of 50 trials each that was a third of a run's CPU time.
 * @param most trials that may be unfinished
 * @param tryOne calls `underWay` when the trial no longer waits for its turn, at its end at the latest
 */
export function runBatch<Ask, End>(
  asks: readonly Ask[],
  most: number,
  tryOne: (ask: Ask, index: number, underWay: () => void) => Promise<End>,
): Promise<readonly End[]> {
  return new Promise((resolve, reject) => {
    // Allocated whole: a batch takes its memory when it begins, and does not grow while it is asked.
    const ends = new Array<End>(asks.length);
    const queue = asks.entries();
    let unfinished = 0;
    let waiting = 0;

    const begin = ([index, ask]: readonly [number, Ask]): void => {
      waiting += 1;
      unfinished += 1;
      let isUnderWay = false;
      const underWay = (): void => {
        if (isUnderWay) return;
        isUnderWay = true;
        waiting -= 1;
        beginSome();
      };
      tryOne(ask, index, underWay).then((end) => {
        ends[index] = end;
        unfinished -= 1;
        if (isUnderWay) beginSome();
        else underWay();
        if (unfinished === 0) resolve(ends);
      }, reject);
    };
    const beginSome = (): void => {
      while (waiting < mostWaiting && unfinished < most) {
        const next = queue.next();
        if (next.done === true) break;
        begin(next.value);
      }
    };
    beginSome();
    if (unfinished === 0) resolve(ends);
  });
}
