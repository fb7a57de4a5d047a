/** Milliseconds. Failures that are no further apart may have the same cause. */
const moment = 30_000;

/**
 * What the requests of an account show of its service apart from its models: how many failed without a cause of their
 * own, since the same request was answered when it was sent again.
 */
export interface Unrest {
  /** A request was answered or failed, whatever the cause; milliseconds since the epoch. */
  ended(at: number): void;
  /** Requests failed at these times, and the same request was answered later. */
  recovered(failedAt: readonly number[]): void;
  /** Requests from shortly before this time until now. */
  since(time: number): { readonly failed: number; readonly of: number };
}

export function createUnrest(): Unrest {
  let ends: number[] = [];
  let failures: number[] = [];
  return {
    ended(at) {
      ends.push(at);
      // A trial looks back to its own first failure, which is seldom long ago: what is older may go.
      if (ends.length >= 20_000) ends = ends.slice(10_000);
    },
    recovered(failedAt) {
      for (const at of failedAt) failures.push(at);
      if (failures.length >= 20_000) failures = failures.slice(10_000);
    },
    since(time) {
      const recent = (at: number): boolean => at >= time - moment;
      const failed = failures.filter(recent).length;
      return { failed, of: Math.max(failed, ends.filter(recent).length) };
    },
  };
}
