import type { CellState, DoubtRun, TrialCounts } from '../../baseline/entries.js';
import { cellStateOf as acceptedState, type CoveredCell } from '../../baseline/expected.js';
import { joined, wayOf, waysByCount } from '../../baseline/ways-of-failing.js';
import type { DoubtOutcome } from '../../cell/verdict.js';
import type { Outcome } from '../../judge/outcome.js';
import type { PlannedCell } from '../../plan/plan.js';
import { fewestToDecide, sequentialTestState } from '../../stats/sequential-test.js';
import type { Finding, RecordedTrial } from '../course.js';
import {
  contradicts,
  trialExpectation,
  isDoubtful,
  mostDoubtTrials,
  stateAfter,
  weigh,
  type TrialExpectation,
  type Weighed,
} from '../law.js';
import {
  tally,
  sequentialTestOf,
  repeatedQuestions,
  type Asking,
  type SampledCell,
  type SampleQuestion,
  type Sample,
} from './sample.js';

/** A cell that is accepted as failing has failed in so many trials. */
const failuresToAccept = 3;

/**
 * The finding of a sampled cell, after a doubt about what is known of it was settled.
 * @param bound log10 of the evidence that an alarm needs: the more cells a run has, the more
 */
export function* compareWithKnown(planned: PlannedCell, sampled: SampledCell, bound: number): Asking<Finding> {
  if (sampled.conclude().verdict === 'inconclusive') return sampled.conclude();
  if (planned.expected.kind === 'new') return yield* settleNew(planned, sampled);
  return yield* settleKnown(planned, sampled, doubtedIn(planned.expected, sampled), bound);
}

export function* settleKnown(
  planned: PlannedCell,
  { sample, conclude }: Pick<SampledCell, 'sample' | 'conclude'>,
  doubted: Doubted,
  bound: number,
): Asking<Finding> {
  const settled = yield* settleDoubt(sample, doubted, bound, planned.confirm);
  const finding = conclude();
  return { ...finding, ...settled, needed: Math.max(finding.needed, settled.needed) };
}

function doubtedIn(expected: CoveredCell, { question, isSameQuestion }: SampledCell): Doubted {
  return {
    expectation: trialExpectation(expected),
    state: acceptedState(expected),
    question,
    sign: ({ ask, outcome }) => (isSameQuestion(ask) ? signOf(outcome) : null),
  };
}

/** Nothing is known that a new cell could contradict: the sequential test tells whether its failures are chance. */
export function* settleNew(
  planned: PlannedCell,
  { sample, conclude, question, ...cell }: SampledCell,
): Asking<Finding> {
  const test = sequentialTestOf(planned);
  const now = () => tally(sample.judged(cell.isSameQuestion), cell.isGood);
  const first = now().total;
  if (!planned.confirm || now().failed === 0) return conclude();
  for (;;) {
    const { passed, failed, total } = now();
    const missing = Math.max(fewestToDecide(test, passed, failed), passed === 0 ? failuresToAccept - failed : 0);
    const batch = Math.min(missing, first + mostDoubtTrials - total);
    if (batch <= 0 || sample.isExhausted()) {
      const settled = sequentialTestState(test, passed, failed) === 'broken' ? 'confirmed' : 'cleared';
      const doubtOutcome = missing > 0 ? 'unsettled' : settled;
      const finding = conclude();
      return { ...finding, doubtOutcome, needed: Math.max(finding.needed, sample.isExhausted() ? missing : 0) };
    }
    yield* sample.take(repeatedQuestions(question, batch));
  }
}

export const signOf = (outcome: Outcome): Sign => (outcome.passed ? 'passed' : { way: wayOf(outcome) });

/** A trial as the law sees it: a pass, or in which way it failed; null: it says nothing of the cell. */
type Sign = 'passed' | { readonly way: string } | null;

/** The known state of a cell, and the trials that count. */
interface Doubted {
  readonly expectation: TrialExpectation;
  readonly state: CellState;
  readonly question: SampleQuestion;
  readonly sign: (answer: RecordedTrial) => Sign;
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
 * @param asks whether trials may be asked because of a doubt
 */
function* settleDoubt(sample: Sample, doubted: Doubted, bound: number, asks: boolean): Asking<Settled> {
  const { expectation, state, question, sign } = doubted;
  const answers = () => sample.judged().filter((answer) => sign(answer) !== null);
  const opening =
    state.doubt.length > 0
      ? 0
      : answers().findIndex((one) => contradicts(expectation, state.known, runOf([one], sign)));
  const quiet = opening === -1 ? answers() : answers().slice(0, opening);
  const known = joined([state.known, runOf(quiet, sign)]);
  const doubtful = () => (opening === -1 ? [] : answers().slice(opening));
  for (;;) {
    const run = runOf(doubtful(), sign);
    if (run.total === 0) return quietly({ ...state, known }, bound);
    const open = { ...state, known, doubt: [...state.doubt, run] };
    const weighed = weigh(expectation, open, bound);
    if (!weighed.asks || !asks) return { ...concluded(expectation, open, weighed, bound), needed: 0 };
    const batch = Math.min(batchFor(expectation, open, bound), mostDoubtTrials - run.total);
    if (sample.isExhausted()) return { ...concluded(expectation, open, weighed, bound), needed: batch };
    yield* sample.take(repeatedQuestions(question, batch));
  }
}

/** Nothing contradicted what is known. */
export function quietly(state: CellState, bound: number): Settled {
  return {
    law: { ...state, changed: 0, holds: 0, bound, suspicion: null, start: state.doubt.length },
    doubtOutcome: null,
    needed: 0,
  };
}

function concluded(
  expectation: TrialExpectation,
  open: CellState,
  weighed: Weighed,
  bound: number,
): Pick<Settled, 'law' | 'doubtOutcome'> {
  const after = stateAfter(expectation, open, weighed);
  const { changed, holds, suspicion, start, outcome } = weighed;
  // The oldest runs may have become known.
  const shift = open.doubt.length - after.doubt.length;
  const law = { ...after, changed, holds, bound, suspicion, start: Math.max(0, start - shift) };
  switch (outcome) {
    case 'alarm':
      return { law, doubtOutcome: 'confirmed' };
    case 'unreliable':
      return { law, doubtOutcome: 'unreliable' };
    case 'over':
      return { law: { ...quietly(after, bound).law }, doubtOutcome: 'cleared' };
    case 'open': {
      if (isDoubtful(expectation, weighed)) return { law, doubtOutcome: 'unsettled' };
      const isKept = expectation === 'rate';
      return { law: { ...law, suspicion: null, start: isKept ? after.doubt.length : 0 }, doubtOutcome: null };
    }
  }
}

/**
 * The fewest trials that may settle it, or a quarter of those asked so far, so that a long doubt takes few rounds; none
 * beyond what an alarm needs.
 */
function batchFor(expectation: TrialExpectation, { known, doubt, ...state }: CellState, bound: number): number {
  const before = doubt.slice(0, -1);
  const run = doubt.at(-1) ?? { passed: 0, total: 0 };
  const asks = (more: TrialCounts): boolean =>
    weigh(expectation, { ...state, known, doubt: [...before, joined([run, more])] }, bound).asks;
  const fewest = (more: (trials: number) => TrialCounts): number => {
    let trials = 1;
    while (trials < mostDoubtTrials && asks(more(trials))) trials += 1;
    return trials;
  };
  const fails = failingLike(known, run);
  const passes = fewest((total) => ({ passed: total, total }));
  const failures = Math.min(...fails.map((way) => fewest((total) => ({ passed: 0, total, ways: { [way]: total } }))));
  // A row of failures may have a cause that another cell proves: it begins with few.
  if (expectation !== 'fail' && run.passed === 0) return Math.min(passes, failures, run.total);
  const [least, most] = [Math.min(passes, failures), Math.max(passes, failures)];
  return Math.max(least, Math.min(most, Math.ceil(run.total / 4)));
}

/** The ways in which further trials may fail: as is known best, and as the run shows most. */
function failingLike(known: TrialCounts, run: TrialCounts): readonly string[] {
  const best = [known, run].flatMap(({ ways = {} }) => waysByCount(ways)[0]?.[0] ?? []);
  return best.length === 0 ? ['*'] : best;
}

function runOf(answers: readonly RecordedTrial[], sign: Doubted['sign']): DoubtRun {
  const signs = answers.flatMap((answer) => sign(answer) ?? []);
  return joined(signs.map((one) => (one === 'passed' ? onePass : { passed: 0, total: 1, ways: { [one.way]: 1 } })));
}

const onePass: TrialCounts = { passed: 1, total: 1 };
