/** Tells models that were left alone when all others are done. */
export interface EndOfRun {
  /** Resolves when no other model is asked any more; the model is asked again then. */
  readonly wait: () => Promise<void>;
  /** A model is done. */
  readonly done: () => void;
  /** Whether any other model is still asked. */
  readonly isFar: () => boolean;
}

/** @param models of the run */
export function createEndOfRun(models: number): EndOfRun {
  let asked = models;
  let left: (() => void)[] = [];
  const leave = (): void => {
    asked -= 1;
    if (asked > 0) return;
    asked = left.length;
    const all = left;
    left = [];
    for (const ask of all) ask();
  };
  return {
    wait: () =>
      new Promise((resolve) => {
        left.push(resolve);
        leave();
      }),
    done: leave,
    isFar: () => asked > 1,
  };
}
