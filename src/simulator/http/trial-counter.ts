/** How often something was seen before. */
export type Counter = (key: string) => number;

/** The oldest keys are forgotten when there are too many: a service that runs for weeks must not grow. */
export function createCounter(mostKept = 100_000): Counter {
  const seen = new Map<string, number>();
  return (key) => {
    const before = seen.get(key) ?? 0;
    seen.delete(key);
    seen.set(key, before + 1);
    if (seen.size > mostKept)
      for (const oldest of seen.keys()) {
        seen.delete(oldest);
        break;
      }
    return before;
  };
}
