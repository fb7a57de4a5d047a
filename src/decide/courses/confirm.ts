import { failsAsKnown } from '../../baseline/expected.js';
import type { DoubtOutcome } from '../../cell/verdict.js';
import type { Ticket } from '../../plan/ticket.js';
import { probabilityOfFewer, probabilityOfMore } from '../../stats/exact-test.js';
import {
  boundary,
  evidenceOfBroken,
  failuresTo,
  passesTo,
  reaches,
  stateOf,
  type SequentialTest,
} from '../../stats/sequential-test.js';
import type { Finding, TrialRange } from '../course.js';
import { alarmBoundary, discoveryRate, rowForAlarm } from '../false-alarms.js';
import { baselineDoubt, type BaselineDoubt } from './baseline-doubt.js';
import { repeated, type Answered, type Asking, type SampledCell } from './sample.js';
import { tally, testOf } from './sequential.js';

/** Most fresh trials for one difference. One that they do not settle is shown but raises no alarm. */
const freshLimit = 60;
/** Fresh trials for a cell that the baseline calls flaky. */
const freshForRate = 20;

interface Conclusion {
  readonly surprise: Exclude<DoubtOutcome, null>;
  readonly needed: number;
  readonly pValue: number | null;
}

/** The trials that raised a doubt, and those that were asked because of it. */
export interface FreshTrials {
  readonly first: readonly Answered[];
  /** Those so far. */
  readonly fresh: () => readonly Answered[];
  readonly plannedCells: number;
}

/**
 * Confirms or clears a result that contradicts the baseline, by a fresh sample. The trials that raised the doubt are not
 * part of it, because they were selected for contradicting it.
 * @param plannedCells of the whole run, before any shard was cut: the more cells, the stronger the evidence for an alarm
 */
export function* confirmDoubt(ticket: Ticket, sampled: SampledCell, plannedCells: number): Asking<Finding> {
  const doubt = ticket.confirm ? baselineDoubt(ticket, sampled) : null;
  if (doubt === null) return sampled.conclude();
  const trials = freshTrialsOf(sampled, plannedCells);
  const conclusion = yield* resolve(doubt, ticket, sampled, trials);
  const { passed, total } = tally(trials.fresh(), sampled.isGood);
  const finding = sampled.conclude();
  return {
    ...finding,
    needed: Math.max(finding.needed, conclusion.needed),
    surprise: conclusion.surprise,
    fresh: { suspicion: doubt.suspicion, passed, total, pValue: conclusion.pValue },
  };
}

/** Expects that nothing contradicts the baseline. */
export function confirmationCost({ confirm }: Ticket): TrialRange {
  return { expected: 0, largest: confirm ? freshLimit : 0 };
}

/** Every trial from here on is fresh. */
export function freshTrialsOf({ sample, isSameQuestion }: SampledCell, plannedCells: number): FreshTrials {
  const first = sample.judged(isSameQuestion);
  return { first, fresh: () => sample.judged(isSameQuestion).slice(first.length), plannedCells };
}

function resolve(doubt: BaselineDoubt, ticket: Ticket, sampled: SampledCell, trials: FreshTrials): Asking<Conclusion> {
  switch (doubt.by) {
    case 'failures':
    case 'passes':
      return weighEvidence(doubt, testOf(ticket), sampled, trials);
    case 'kind':
      return unbrokenRow(sampled, trials, ({ outcome }) => !outcome.passed && failsAsKnown(doubt.entry, outcome));
    case 'rate':
      return compareRates(doubt, sampled, trials);
  }
}

/**
 * Confirms when the sequential test decides `broken` over the fresh sample, and clears when it decides `reliable` over all
 * trials. An improvement is tested with passes and failures swapped. A new cell has no history to contradict, so the
 * ordinary boundary is enough.
 */
function* weighEvidence(
  doubt: BaselineDoubt,
  test: SequentialTest,
  sampled: SampledCell,
  trials: FreshTrials,
): Asking<Conclusion> {
  const alarm = doubt.suspicion === 'new' ? boundary(test) : alarmBoundary(trials.plannedCells);
  const isExpected = (outcome: Answered['outcome']) => sampled.isGood(outcome) === (doubt.by === 'failures');
  const before = tally(trials.first, isExpected);
  for (;;) {
    const fresh = tally(trials.fresh(), isExpected);
    if (reaches(evidenceOfBroken(test, fresh.passed, fresh.failed), alarm)) return settled('confirmed');
    const [passed, failed] = [before.passed + fresh.passed, before.failed + fresh.failed];
    if (stateOf(test, passed, failed) === 'reliable') return settled('cleared');
    const fewest = Math.min(
      failuresTo(test, evidenceOfBroken(test, fresh.passed, fresh.failed), alarm),
      passesTo(test, evidenceOfBroken(test, passed, failed), -boundary(test)),
    );
    const batch = Math.min(fewest, freshLimit - fresh.total);
    if (batch <= 0 || sampled.sample.isExhausted()) return unsettled(fewest);
    yield* sampled.sample.take(repeated(sampled.question, batch));
  }
}

/**
 * Confirms after so many fresh trials in a row without the expected result that chance is ruled out even if every second
 * trial showed it, and clears as soon as one trial shows it.
 */
export function* unbrokenRow(
  sampled: Pick<SampledCell, 'sample' | 'question'>,
  { first, fresh, plannedCells }: FreshTrials,
  isExpected: (answer: Answered) => boolean,
): Asking<Conclusion> {
  const row = Math.min(freshLimit, rowForAlarm(plannedCells));
  for (;;) {
    if ([...first, ...fresh()].some(isExpected)) return settled('cleared');
    const missing = row - fresh().length;
    if (missing <= 0) return settled('confirmed');
    if (sampled.sample.isExhausted()) return unsettled(missing);
    // A single trial first, since it settles most differences of this kind.
    yield* sampled.sample.take(repeated(sampled.question, fresh().length === 0 ? 1 : missing));
  }
}

function* compareRates(
  doubt: Extract<BaselineDoubt, { by: 'rate' }>,
  sampled: SampledCell,
  trials: FreshTrials,
): Asking<Conclusion> {
  yield* sampled.sample.take(repeated(sampled.question, freshForRate));
  const fresh = tally(trials.fresh(), sampled.isGood);
  const missing = freshForRate - fresh.total;
  if (missing > 0) return unsettled(missing);
  const compare = doubt.suspicion === 'regression' ? probabilityOfFewer : probabilityOfMore;
  const pValue = compare(fresh, doubt.baseline);
  return { surprise: pValue <= discoveryRate ? 'confirmed' : 'cleared', needed: 0, pValue };
}

const settled = (surprise: 'confirmed' | 'cleared'): Conclusion => ({ surprise, needed: 0, pValue: null });
const unsettled = (needed: number): Conclusion => ({ surprise: 'unsettled', needed, pValue: null });
