import type { Night } from '../run-world.js';

/** How often a night was right about one subject. */
export interface Score {
  readonly subject: string;
  readonly right: number;
  readonly wrong: number;
  /** All wrong ones. */
  readonly examples: readonly Mistake[];
  /** Shares that are neither right nor wrong. */
  readonly figures?: Readonly<Record<string, { readonly count: number; readonly of: number }>>;
}

/** What the report says, and what is true. */
export interface Mistake {
  /** Key of the cell, or the model. */
  readonly at: string;
  readonly said: string;
  readonly truth: string;
}

/** Compares the report of a night with what is true of its models. Takes no judgement of chatspec for granted. */
export type Scorer = (night: Night) => Score;

/** Judges each case by what is wrong with it; null: nothing. */
export function scoreOf<Case>(subject: string, cases: Iterable<Case>, mistakeIn: (one: Case) => Mistake | null): Score {
  let right = 0;
  const examples: Mistake[] = [];
  for (const one of cases) {
    const mistake = mistakeIn(one);
    if (mistake === null) right += 1;
    else examples.push(mistake);
  }
  return { subject, right, wrong: examples.length, examples };
}

/** One line for each mistake, for whoever looks into it. */
export function mistakeLine({ at, said, truth }: Mistake): string {
  return `${at}\n    said: ${said}\n    true: ${truth}`;
}
