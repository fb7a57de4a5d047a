import type { Failures } from '../chat/exchange.js';

/** Trials that were answered lately: whether they had to be repeated, for no reason that an answer gave. */
export interface RecentTrials {
  note(now: number, wasRepeated: boolean): void;
  failures(now: number): Failures;
}

/** Trials that are remembered, and for how many milliseconds: what failed before may have had another cause. */
const most = 50;
const longest = 30_000;

export function createRecentTrials(): RecentTrials {
  const trials: { readonly at: number; readonly wasRepeated: boolean }[] = [];
  return {
    note(at, wasRepeated) {
      trials.push({ at, wasRepeated });
      if (trials.length > most) trials.shift();
    },
    failures(now) {
      const recent = trials.filter(({ at }) => at > now - longest);
      return { failed: recent.filter(({ wasRepeated }) => wasRepeated).length, of: recent.length };
    },
  };
}
