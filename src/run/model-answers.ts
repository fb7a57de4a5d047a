import type { EarlierAnswer } from './retry-policy.js';

/** Counts the answers of a model. */
export interface ModelAnswers {
  /** Requests that were answered, those of an earlier session among them. */
  readonly count: () => number;
  /** The time of the last of them, in milliseconds since the epoch; 0: never. */
  readonly lastAt: () => number;
  /** Something came to its newest request, whatever it says. */
  readonly isAnswering: () => boolean;
  readonly note: (answer: EarlierAnswer) => void;
  /** @param status null: nothing came */
  readonly noteStatus: (status: number | null) => void;
}

export function createModelAnswers(): ModelAnswers {
  let count = 0;
  let lastAt = 0;
  let isAnswering = true;
  return {
    count: () => count,
    lastAt: () => lastAt,
    isAnswering: () => isAnswering,
    note({ sign, endedAt }) {
      if (sign.kind !== 'answered') return;
      count += 1;
      lastAt = Math.max(lastAt, endedAt);
    },
    noteStatus: (status) => void (isAnswering = status !== null),
  };
}
