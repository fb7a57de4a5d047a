import pLimit from 'p-limit';

/** What waits, by rank: the highest first, and equals in the order in which they came. */
export interface BestFirst<Value> {
  add(rank: number, value: Value): void;
  /** Takes the first out; undefined when nothing waits. */
  take(): Value | undefined;
}

export function bestFirst<Value>(): BestFirst<Value> {
  // Sorted, and searched from its end: most ranks of a model are equal, so that it mostly is a plain queue.
  const waiting: { readonly rank: number; readonly value: Value }[] = [];
  return {
    add(rank, value) {
      const before = waiting.findLastIndex((other) => other.rank >= rank);
      waiting.splice(before + 1, 0, { rank, value });
    },
    take: () => waiting.shift()?.value,
  };
}

/** Runs so many tasks at a time. Which is next is decided only when one can begin: a better one may have come by then. */
export function limitBestFirst(most: number): <T>(rank: number, task: () => Promise<T>) => Promise<T> {
  const limit = pLimit(most);
  const waiting = bestFirst<() => Promise<void>>();
  return (rank, task) =>
    new Promise((resolve, reject) => {
      waiting.add(rank, () => task().then(resolve, reject));
      void limit(async () => waiting.take()?.());
    });
}
