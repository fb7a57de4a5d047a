import type { CellState, DoubtRun } from '../../baseline/entries.js';
import type { Count } from '../../stats/count.js';
import { sumOf } from '../../stats/count.js';
import { boundOver } from '../../stats/evidence.js';
import type { DoubtOutcome } from '../../cell/verdict.js';
import type { Law, Suspicion } from '../course.js';
import { contradicts, type Expectation, isDoubtful, mostTrials, stateAfter, weigh, type Weighed } from '../law.js';
import { repeated, type Answered, type Asking, type Question, type Sample } from './sample.js';

/** What one trial is for the law; null: it says nothing of the cell. `other`: a failure unlike the known one. */
export type Sign = 'passed' | 'failed' | 'other' | null;

/** What is known of a cell, and which of its trials count. */
export interface Doubted {
  readonly expectation: Expectation;
  readonly state: CellState;
  readonly question: Question;
  readonly isCounted: (answer: Answered) => boolean;
  readonly sign: (answer: Answered) => Sign;
}

/** Where a doubt is settled. */
export interface Settling {
  /** Of the whole run, before any shard was cut: the more cells, the stronger the evidence for an alarm. */
  readonly plannedCells: number;
  /** Whether trials may be asked because of a doubt. */
  readonly asks: boolean;
}

export interface Settled {
  readonly law: Law;
  readonly doubtOutcome: DoubtOutcome;
  /** Further trials that might have settled it, had they been answered. */
  readonly needed: number;
}

/**
 * The one course of every doubt. It opens with the first trial that contradicts what is expected, or goes on from earlier
 * runs; its trials are asked on until it is an alarm, is clear, or as many were asked as one run may.
 */
export function* settleDoubt(sample: Sample, doubted: Doubted, settling: Settling): Asking<Settled> {
  const { expectation, state, question, isCounted, sign } = doubted;
  const bound = boundOver(settling.plannedCells);
  const answers = () => sample.judged().filter((answer) => isCounted(answer) && sign(answer) !== null);
  const opening =
    state.doubt.length > 0 ? 0 : answers().findIndex((one) => contradicts(expectation, runOf([one], sign)));
  const quiet = opening === -1 ? answers() : answers().slice(0, opening);
  const known = plus(state.known, runOf(quiet, sign));
  const doubtful = () => (opening === -1 ? [] : answers().slice(opening));
  for (;;) {
    const tonight = runOf(doubtful(), sign);
    if (tonight.total === 0) return { ...quietly({ known, doubt: state.doubt }, bound), needed: 0 };
    const open = { known, doubt: [...state.doubt, tonight] };
    const weighed = weigh(expectation, open, bound);
    if (!weighed.asks || !settling.asks || tonight.total >= mostTrials) {
      return { ...concluded(expectation, open, weighed, bound), needed: 0 };
    }
    const batch = Math.min(batchFor(expectation, open, bound), mostTrials - tonight.total);
    if (sample.isExhausted()) return { ...concluded(expectation, open, weighed, bound), needed: batch };
    yield* sample.take(repeated(question, batch));
  }
}

type Concluded = Omit<Settled, 'needed'>;

const quietly = (state: CellState, bound: number): Concluded => ({
  law: { ...state, log10: 0, bound, suspicion: null },
  doubtOutcome: null,
});

function concluded(expectation: Expectation, open: CellState, { log10, outcome }: Weighed, bound: number): Concluded {
  const after = stateAfter(open, outcome);
  if (after.doubt.length === 0) return { ...quietly(after, bound), doubtOutcome: 'cleared' };
  const doubtOutcome = outcome === 'alarm' ? 'confirmed' : isDoubtful(expectation, log10) ? 'unsettled' : null;
  return { law: { ...after, log10, bound, suspicion: suspicionOf(expectation, open) }, doubtOutcome };
}

/** Trials that fail otherwise than is known count as a change of the failure, unless more of them pass. */
function suspicionOf(expectation: Expectation, { known, doubt }: CellState): Suspicion {
  const { passed, total } = sumOf(doubt);
  if (expectation === 'fail') return passed > 0 && passed >= otherIn(doubt) ? 'improvement' : 'changed';
  return expectation === 'rate' && passed / total > known.passed / known.total ? 'improvement' : 'regression';
}

const otherIn = (runs: readonly DoubtRun[]): number => runs.reduce((sum, { other = 0 }) => sum + other, 0);

/**
 * As many as have failed so far in a row, and none beyond what an alarm needs; once some passed, the fewest trials that may
 * settle it, or as many as were asked so far.
 */
function batchFor(expectation: Expectation, { known, doubt }: CellState, bound: number): number {
  const before = doubt.slice(0, -1);
  const tonight = doubt.at(-1) ?? { passed: 0, total: 0 };
  const asks = (more: DoubtRun): boolean => {
    const run = { ...plus(tonight, more), other: (tonight.other ?? 0) + (more.other ?? 0) };
    return weigh(expectation, { known, doubt: [...before, run] }, bound).asks;
  };
  const fewest = (more: (trials: number) => DoubtRun): number => {
    let trials = 1;
    while (trials < mostTrials && asks(more(trials))) trials += 1;
    return trials;
  };
  const passes = fewest((total) => ({ passed: total, total }));
  const failures = fewest((total) => ({ passed: 0, total }));
  if (tonight.passed === 0) return Math.min(failures, tonight.total);
  const [least, most] = [Math.min(passes, failures), Math.max(passes, failures)];
  return Math.max(least, Math.min(most, tonight.total));
}

function runOf(answers: readonly Answered[], sign: Doubted['sign']): DoubtRun {
  const signs = answers.map(sign);
  const amount = (wanted: Sign): number => signs.filter((one) => one === wanted).length;
  const other = amount('other');
  return { passed: amount('passed'), total: signs.length, ...(other > 0 && { other }) };
}

const plus = (one: Count, other: Count): Count => ({
  passed: one.passed + other.passed,
  total: one.total + other.total,
});
