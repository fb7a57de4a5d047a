/** The trials of a model that are under way: some wait until all others have ended. */
export interface OpenTrials {
  readonly began: () => void;
  readonly ended: () => void;
  /** Resolves when every open trial waits here, or nothing more is sent. */
  readonly othersEnd: () => Promise<void>;
  /** Lets all trials go on: nothing more is sent. */
  readonly stop: () => void;
}

export function createOpenTrials(): OpenTrials {
  let open = 0;
  let isStopped = false;
  let waiting: (() => void)[] = [];
  const release = (): void => {
    if (!isStopped && waiting.length < open) return;
    const all = waiting;
    waiting = [];
    for (const go of all) go();
  };
  return {
    othersEnd: () =>
      new Promise<void>((go) => {
        waiting.push(go);
        release();
      }),
    began: (): void => void (open += 1),
    ended(): void {
      open -= 1;
      release();
    },
    stop(): void {
      isStopped = true;
      release();
    },
  };
}
