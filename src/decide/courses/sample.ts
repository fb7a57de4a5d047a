import type { JsonObject } from '../../json/json.js';
import type { Outcome } from '../../judge/outcome.js';
import { isFinalError } from '../../judge/outcome-classes.js';
import type { Ask } from '../../plan/ticket.js';
import type { Answer, Finding } from '../course.js';

/** What to ask, before it is counted. */
export interface Question {
  readonly kind: Ask['kind'];
  readonly patch: JsonObject;
  /** Begins with this row of the probe's samples; default: the first. */
  readonly from?: number;
}

/** An ask with its outcome. */
export interface Answered {
  readonly ask: Ask;
  readonly outcome: Outcome;
}

/** A part of a course: asks in batches, receives outcomes, gives a result. */
export type Asking<Result> = Generator<readonly Ask[], Result, readonly Answer[]>;

/** The plain question of a probe. */
export const plainTrial: Question = { kind: 'trial', patch: {} };

/** The trials of one cell while it is being asked. */
export interface Sample {
  /** Every outcome so far, faults included. */
  outcomes(): readonly Outcome[];
  /** Every judged answer so far to the questions for which `of` is true. */
  judged(of?: (ask: Ask) => boolean): readonly Answered[];
  /** Those of `judged` from the given number on, in the order in which they came. */
  judgedSince(from: number): readonly Answered[];
  /** No more answers arrive, or only faults, so further asks would be useless. */
  isExhausted(): boolean;
  /**
   * Asks all questions in one batch and gives the judged answers. A trial that ended in a fault is asked again, under
   * the next sample number, in at most two further batches; after that the sample is exhausted.
   */
  take(questions: readonly Question[]): Asking<readonly Answered[]>;
}

const furtherBatches = 2;

/** @param recorded trials that it begins with, in place of further ones */
export function openSample(recorded: readonly Answered[] = []): Sample {
  const answered: Answered[] = [...recorded];
  const all: Answered[] = answered.filter(({ outcome }) => !outcome.fault);
  const asked = new Map<string, number>();
  let exhausted = false;

  const count = ({ kind, patch, from = 0 }: Question): Ask => {
    const key = patch === plainTrial.patch ? kind : JSON.stringify([kind, patch]);
    const sample = asked.get(key) ?? from;
    asked.set(key, sample + 1);
    return { kind, patch, sample };
  };

  return {
    outcomes: () => answered.map(({ outcome }) => outcome),
    judged: (of = () => true) => answered.filter(({ ask, outcome }) => !outcome.fault && of(ask)),
    judgedSince: (from) => (from >= all.length ? [] : all.slice(from)),
    isExhausted: () => exhausted,
    *take(questions) {
      const judged: Answered[] = [];
      let open = questions;
      let fruitless = 0;
      for (let round = 0; round <= furtherBatches && open.length > 0 && !exhausted && fruitless < 2; round++) {
        const asks = open.map(count);
        const outcomes = yield asks;
        const before = judged.length;
        const again: Question[] = [];
        for (const [index, ask] of asks.entries()) {
          const outcome = outcomes[index];
          if (outcome === undefined) {
            exhausted = true;
            continue;
          }
          const answer = { ask, outcome };
          answered.push(answer);
          if (!outcome.fault) all.push(answer);
          if (!outcome.fault) judged.push(answer);
          else if (!isFinalError(outcome)) again.push(open[index] ?? ask);
        }
        fruitless = judged.length === before ? fruitless + 1 : 0;
        open = again;
      }
      if (judged.length < questions.length) exhausted = true;
      return judged;
    },
  };
}

export const repeated = (question: Question, count: number): readonly Question[] =>
  Array.from({ length: count }, () => question);

/** What a course knows before it compares the cell with the baseline. */
export interface SampledCell {
  readonly sample: Sample;
  /** The finding over all trials so far; asked again after a fresh sample. */
  readonly conclude: () => Finding;
  /** What a fresh sample would ask. */
  readonly question: Question;
  /** Whether an answer to `question` counts as a pass of the cell. */
  readonly isGood: (outcome: Outcome) => boolean;
  /** Whether an ask was for the same question, so that its answer counts with those to `question`. */
  readonly isSameQuestion: (ask: Ask) => boolean;
}
