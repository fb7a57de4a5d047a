import type { CellState, DoubtRun } from '../../baseline/entries.js';
import { failsAsKnown, stateOf as knownState } from '../../baseline/expected.js';
import type { DoubtOutcome } from '../../cell/verdict.js';
import type { Ticket } from '../../plan/ticket.js';
import { sumOf, type Count } from '../../stats/count.js';
import { boundOver } from '../../stats/evidence.js';
import { fewestToDecide, stateOf } from '../../stats/sequential-test.js';
import type { Finding, RecordedTrial, Suspicion } from '../course.js';
import { expectationOf, mostTrials, contradicts, isDoubtful, stateAfter, weigh } from '../law.js';
import { tally, testOf, repeated, type Asking, type SampledCell, type SampleQuestion, type Sample } from './sample.js';

type Expectation = ReturnType<typeof expectationOf>;

/** What every course needs to know of the run. */
export interface RunSoFar {
  /** Of the whole run, before any shard was cut. */
  readonly plannedCells: number;
}

/** A cell that is accepted as failing has failed in so many trials. */
const fewestFailures = 3;

/** The finding of a sampled cell, after a doubt about what is known of it was settled. */
export function* compareWithKnown(ticket: Ticket, sampled: SampledCell, run: RunSoFar): Asking<Finding> {
  if (sampled.conclude().verdict === 'inconclusive') return sampled.conclude();
  if (ticket.expected.kind === 'new') return yield* settleNew(ticket, sampled);
  return yield* settleKnown(ticket, sampled, doubtedIn(ticket.expected, sampled), run);
}

export function* settleKnown(
  ticket: Ticket,
  { sample, conclude }: Pick<SampledCell, 'sample' | 'conclude'>,
  doubted: Doubted,
  { plannedCells }: RunSoFar,
): Asking<Finding> {
  const settled = yield* settleDoubt(sample, doubted, { plannedCells, asks: ticket.confirm });
  const finding = conclude();
  return { ...finding, ...settled, needed: Math.max(finding.needed, settled.needed) };
}

function doubtedIn(
  expected: Exclude<Ticket['expected'], { kind: 'new' }>,
  { question, isSameQuestion }: SampledCell,
): Doubted {
  const state = knownState(expected);
  const verdict = expected.kind === 'pass' ? 'pass' : expected.entry.verdict;
  const expectation = expectationOf(verdict, state.known);
  return {
    expectation,
    state,
    question,
    isCounted: ({ ask }) => isSameQuestion(ask),
    sign({ outcome }) {
      if (outcome.passed) return 'passed';
      const isOther = expectation === 'fail' && expected.kind === 'entry' && !failsAsKnown(expected.entry, outcome);
      return isOther ? 'other' : 'failed';
    },
  };
}

/** Nothing is known that a new cell could contradict: the sequential test tells whether its failures are chance. */
export function* settleNew(ticket: Ticket, { sample, conclude, question, ...cell }: SampledCell): Asking<Finding> {
  const test = testOf(ticket);
  const now = () => tally(sample.judged(cell.isSameQuestion), cell.isGood);
  const first = now().total;
  if (!ticket.confirm || now().failed === 0) return conclude();
  for (;;) {
    const { passed, failed, total } = now();
    const missing = Math.max(fewestToDecide(test, passed, failed), passed === 0 ? fewestFailures - failed : 0);
    const batch = Math.min(missing, first + mostTrials - total);
    if (batch <= 0 || sample.isExhausted()) {
      const state = stateOf(test, passed, failed);
      const doubtOutcome = missing > 0 ? 'unsettled' : state === 'broken' ? 'confirmed' : 'cleared';
      const finding = conclude();
      return { ...finding, doubtOutcome, needed: Math.max(finding.needed, sample.isExhausted() ? missing : 0) };
    }
    yield* sample.take(repeated(question, batch));
  }
}

/** What one trial is for the law; null: it says nothing of the cell. `other`: a failure unlike the known one. */
type Sign = 'passed' | 'failed' | 'other' | null;

/** What is known of a cell, and which of its trials count. */
interface Doubted {
  readonly expectation: Expectation;
  readonly state: CellState;
  readonly question: SampleQuestion;
  readonly isCounted: (answer: RecordedTrial) => boolean;
  readonly sign: (answer: RecordedTrial) => Sign;
}

/** Where a doubt is settled. */
interface Settling {
  /** Of the whole run, before any shard was cut: the more cells, the stronger the evidence for an alarm. */
  readonly plannedCells: number;
  /** Whether trials may be asked because of a doubt. */
  readonly asks: boolean;
}

interface Settled {
  readonly law: NonNullable<Finding['law']>;
  readonly doubtOutcome: DoubtOutcome;
  /** Further trials that might have settled it, had they been answered. */
  readonly needed: number;
}

/**
 * The one course of every doubt. It opens with the first trial that contradicts what is expected, or goes on from
 * earlier runs; its trials are asked on until it is an alarm, is clear, or as many were asked as one run may.
 */
function* settleDoubt(sample: Sample, doubted: Doubted, settling: Settling): Asking<Settled> {
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

function concluded(
  expectation: Expectation,
  open: CellState,
  { log10, outcome }: ReturnType<typeof weigh>,
  bound: number,
): Concluded {
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
 * The fewest trials that may settle it, or as many as were asked so far: a row of failures is asked in ever larger
 * batches, and none beyond what an alarm needs.
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
  const [least, most] = [Math.min(passes, failures), Math.max(passes, failures)];
  return Math.max(least, Math.min(most, tonight.total));
}

function runOf(answers: readonly RecordedTrial[], sign: Doubted['sign']): DoubtRun {
  const signs = answers.map(sign);
  const amount = (wanted: Sign): number => signs.filter((one) => one === wanted).length;
  const other = amount('other');
  return { passed: amount('passed'), total: signs.length, ...(other > 0 && { other }) };
}

const plus = (one: Count, other: Count): Count => ({
  passed: one.passed + other.passed,
  total: one.total + other.total,
});
