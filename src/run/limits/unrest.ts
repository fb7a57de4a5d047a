import type { Failures, Surroundings } from '../../chat/exchange.js';

/** Milliseconds. Failures that are no further apart may have the same cause. */
const moment = 30_000;

/** Of the latest answers, so many are remembered. */
const remembered = 64;

/** Failures in a row that chance gives more often than this are no outage. */
const coincidence = 0.01;

/** A trial with failures that have not been answered since. */
export interface Doubt {
  /** Milliseconds since the epoch, in order. */
  readonly failedAt: readonly number[];
}

/**
 * What requests show of a service apart from its models: how many failed without a cause of their own, since the same
 * request was answered when it was sent again. Times are milliseconds since the epoch.
 */
export interface Unrest {
  /** A request got an answer or failed, whatever the cause. */
  ended(at: number): void;
  /** A request sent then was answered, well or badly. */
  answered(sentAt: number): void;
  failed(): void;
  /**
   * Whether so many requests in a row have failed that they are no coincidence, even where a share of them fails at
   * random.
   */
  failsInARow(): boolean;
  /** Whether any request that was sent later than this has been answered. */
  answeredAfter(time: number): boolean;
  /** Requests failed at these times, and the same request was answered later. */
  recovered(failedAt: readonly number[]): void;
  /** A trial of this cell has failed; it is in doubt until it is answered or over. */
  doubted(trial: Doubt, cell: string): void;
  over(trial: Doubt): void;
  /** Requests from shortly before this time until now. */
  since(time: number): Failures;
  ever(): Failures;
  /** What else happened since the first failure of a trial. */
  meanwhile(trial: Doubt, cell: string): NonNullable<Surroundings['meanwhile']>;
}

export function createUnrest(): Unrest {
  let ends: number[] = [];
  let failures: number[] = [];
  const all = { failed: 0, of: 0 };
  let answers: number[] = [];
  let latest = -Infinity;
  let inARow = 0;
  const doubts = new Map<Doubt, string>();
  return {
    ended(at) {
      all.of += 1;
      ends.push(at);
      // A trial looks back to its own first failure, which is seldom long ago: what is older may go.
      if (ends.length >= 20_000) ends = ends.slice(10_000);
    },
    answered(sentAt) {
      inARow = 0;
      latest = Math.max(latest, sentAt);
      answers.push(sentAt);
      if (answers.length >= 2 * remembered) answers = answers.slice(-remembered);
    },
    failed() {
      inARow += 1;
    },
    failsInARow: () => (all.failed / Math.max(1, all.of)) ** inARow <= coincidence,
    answeredAfter: (time) => latest > time,
    recovered(failedAt) {
      all.failed += failedAt.length;
      for (const at of failedAt) failures.push(at);
      if (failures.length >= 20_000) failures = failures.slice(10_000);
    },
    doubted(trial, cell) {
      doubts.set(trial, cell);
    },
    over(trial) {
      doubts.delete(trial);
    },
    since(time) {
      const recent = (at: number): boolean => at >= time - moment;
      const failed = failures.filter(recent).length;
      return { failed, of: Math.max(failed, ends.filter(recent).length) };
    },
    ever: () => ({ failed: all.failed, of: Math.max(all.failed, all.of) }),
    meanwhile(trial, cell) {
      const first = trial.failedAt[0] ?? Infinity;
      let [alike, others] = [0, 0];
      for (const [{ failedAt }, where] of doubts) {
        if (where === cell) alike += failedAt.length;
        else others += failedAt.length;
      }
      return { answered: answers.filter((sentAt) => sentAt > first).length, alike, others };
    },
  };
}
