import { failsAsKnown, stateOf as knownState } from '../../baseline/expected.js';
import type { Ticket } from '../../plan/ticket.js';
import { fewestToDecide, stateOf } from '../../stats/sequential-test.js';
import type { Finding } from '../course.js';
import { expectationOf, mostTrials } from '../law.js';
import { repeated, type Asking, type SampledCell } from './sample.js';
import { tally, testOf } from './plain.js';
import { type Doubted, settleDoubt } from './settle-doubt.js';

/** What every course needs to know of the run. */
export interface RunSoFar {
  /** Of the whole run, before any shard was cut. */
  readonly plannedCells: number;
}

/** A cell that is accepted as failing has failed in so many trials. */
export const fewestFailures = 3;

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
    ...{ expectation, state, question, isCounted: ({ ask }) => isSameQuestion(ask) },
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
