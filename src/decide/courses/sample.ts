import { groupBy } from '../../json/group-by.js';
import { type JsonObject, writtenJson } from '../../json/json.js';
import { isFinalError, type Outcome } from '../../judge/outcome.js';
import { expectedVerdict, type Ask, type PlannedCell } from '../../plan/plan.js';
import {
  defaultTest,
  failuresToBroken,
  fewestToDecide,
  passesToReliable,
  type SequentialTest,
} from '../../stats/sequential-test.js';
import type { JudgedAnswer, Finding, RecordedTrial, TrialRange } from '../course.js';
import { findingOf } from '../finding.js';
import { trialExpectation, trialsOfRate } from '../law.js';

/** A question, before it is counted. */
export interface SampleQuestion {
  readonly kind: Ask['kind'];
  readonly patch: JsonObject;
  /** Begins with this row of the probe's samples; default: the first. */
  readonly from?: number;
}

/** A part of a course: asks in batches, receives outcomes, gives a result. */
export type Asking<Result> = Generator<readonly Ask[], Result, readonly JudgedAnswer[]>;

/** The plain question of a probe. */
const plainTrial: SampleQuestion = { kind: 'trial', patch: {} };

/** The trials of one cell while it is being asked. */
export interface Sample {
  /** Every outcome so far, faults included. */
  outcomes(): readonly Outcome[];
  /** Every judged answer so far to the questions for which `of` is true. */
  judged(of?: (ask: Ask) => boolean): readonly RecordedTrial[];
  /** Those of `judged` from the given number on, in the order in which they came. */
  judgedSince(from: number): readonly RecordedTrial[];
  /** No more answers arrive, or only faults, so further asks would be useless. */
  isExhausted(): boolean;
  /**
   * Asks all questions in one batch and gives the judged answers. A trial that ended in a fault is asked again, under
   * the next sample number, in at most two further batches; after that the sample is exhausted.
   */
  take(questions: readonly SampleQuestion[]): Asking<readonly RecordedTrial[]>;
}

const furtherBatches = 2;

/** @param recorded trials that it begins with, in place of further ones */
export function openSample(recorded: readonly RecordedTrial[] = []): Sample {
  const answered: RecordedTrial[] = [...recorded];
  const all: RecordedTrial[] = answered.filter(({ outcome }) => !outcome.fault);
  const asked = new Map<string, number>();
  let exhausted = false;

  const count = ({ kind, patch, from = 0 }: SampleQuestion): Ask => {
    const key = patch === plainTrial.patch ? kind : writtenJson([kind, patch]);
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
      const judged: RecordedTrial[] = [];
      let open = questions;
      let fruitless = 0;
      for (let round = 0; round <= furtherBatches && open.length > 0 && !exhausted && fruitless < 2; round++) {
        const asks = open.map(count);
        const outcomes = yield asks;
        const before = judged.length;
        const again: SampleQuestion[] = [];
        for (const [index, ask] of asks.entries()) {
          const outcome = outcomes[index];
          if (outcome === undefined) {
            exhausted = true;
            continue;
          }
          const answer = { ask, outcome };
          answered.push(answer);
          if (!outcome.fault) all.push(answer);
          if (!outcome.fault) {
            judged.push(answer);
          } else if (!isFinalError(outcome)) {
            again.push(open[index] ?? ask);
          }
        }
        fruitless = judged.length === before ? fruitless + 1 : 0;
        open = again;
      }
      if (judged.length < questions.length) exhausted = true;
      return judged;
    },
  };
}

export const repeatedQuestions = (question: SampleQuestion, count: number): readonly SampleQuestion[] =>
  Array.from({ length: count }, () => question);

/** A sampled cell, before it is compared with the baseline. */
export interface SampledCell {
  readonly sample: Sample;
  /** The finding over all trials so far; asked again after a fresh sample. */
  readonly conclude: () => Finding;
  /** The question of a fresh sample. */
  readonly question: SampleQuestion;
  /** Whether an answer to `question` counts as a pass of the cell. */
  readonly isGood: (outcome: Outcome) => boolean;
  /** Whether an ask was for the same question, so that its answer counts with those to `question`. */
  readonly isSameQuestion: (ask: Ask) => boolean;
}

/**
 * Asks the probe as it is written: a set number of trials in one batch, or until the sequential test ends or `max`
 * trials were judged. The test decides when to stop, never the verdict. Each batch is the fewest trials that could end
 * it.
 */
export function* samplePlain(planned: PlannedCell): Asking<SampledCell> {
  const { trials } = planned;
  const [least, most] = [leastTrials(planned), mostOf(planned)];
  const sample = openSample();
  const missing = () => {
    const { passed, failed, total } = tally(sample.judged());
    return Math.max(0, least - total, trials.kind === 'decided' ? fewestToDecide(trials, passed, failed) : 0);
  };
  while (!sample.isExhausted()) {
    const batch = Math.min(missing(), most - sample.judged().length);
    if (batch <= 0) break;
    yield* sample.take(repeatedQuestions(plainTrial, batch));
  }
  return {
    sample,
    question: plainTrial,
    conclude: () => findingOf(sample.outcomes(), missing()),
    isGood: ({ passed }) => passed,
    isSameQuestion: ({ kind }) => kind === 'trial',
  };
}

/**
 * A flaky cell, whose evidence goes back and forth, is expected to take twice the trials of one that only passes. A new
 * cell is expected to pass.
 */
export function plainCost(planned: PlannedCell): TrialRange {
  const { trials } = planned;
  const [least, largest] = [leastTrials(planned), mostOf(planned)];
  if (trials.kind === 'count') return { expected: least, largest };
  const passes = passesToReliable(trials);
  const usual = { pass: passes, flaky: 2 * passes, fail: failuresToBroken(trials) }[expectedVerdict(planned)];
  return { expected: Math.min(largest, Math.max(least, usual)), largest };
}

/**
 * The fewest trials that say what the cell does. A probe that names a number of trials gets at least that many, a cell
 * that passes at times three, and one that a sequential test decides what could end the test.
 */
export function leastTrials({ cell, trials, expected, confirm }: PlannedCell): number {
  const ofRate = confirm && expected.kind !== 'new' && trialExpectation(expected) === 'rate' ? trialsOfRate : 1;
  if (trials.kind === 'count') return Math.max(ofRate, trials.count);
  const ofProbe = cell.probe.trials?.kind === 'count' ? cell.probe.trials.count : 1;
  const ofTest = Math.min(trials.max, fewestToDecide(trials, 0, 0));
  return Math.max(ofRate, ofProbe, ofTest, trials.min ?? 1);
}

const mostOf = (planned: PlannedCell): number =>
  Math.max(leastTrials(planned), planned.trials.kind === 'decided' ? planned.trials.max : 0);

/** The rates a planned cell is tested between. */
export const sequentialTestOf = ({ trials }: PlannedCell): SequentialTest =>
  trials.kind === 'decided' ? trials : defaultTest;

/** Counts good and other answers; by default, those that passed are good. */
export function tally(
  answers: readonly RecordedTrial[],
  isGood: (outcome: RecordedTrial['outcome']) => boolean = (outcome) => outcome.passed,
): { readonly passed: number; readonly failed: number; readonly total: number } {
  const passed = answers.filter(({ outcome }) => isGood(outcome)).length;
  return { passed, failed: answers.length - passed, total: answers.length };
}

/** The outcomes of the trials that the course asks of every such cell. */
export function firstTrialsOf(
  planned: PlannedCell,
  { sample, isSameQuestion }: SampledCell,
): NonNullable<Finding['first']> {
  const first = sample.judged(isSameQuestion).slice(0, leastTrials(planned));
  const failed = first.flatMap(({ outcome }) => (outcome.passed ? [] : [outcome]));
  const kinds = groupBy(failed, (outcome) => writtenJson([outcome.class, outcome.reason]));
  return {
    total: first.length,
    failed: [...kinds.values()].flatMap((alike) =>
      alike.slice(0, 1).map(({ class: outcome, reason }) => ({ class: outcome, reason, count: alike.length })),
    ),
  };
}
