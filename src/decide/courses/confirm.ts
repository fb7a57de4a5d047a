import { failsAsKnown } from '../../baseline/expected.js';
import type { Ticket } from '../../plan/ticket.js';
import { probabilityOfFewer } from '../../stats/exact-test.js';
import {
  boundary,
  evidenceOfBroken,
  failuresTo,
  failuresToBroken,
  passesTo,
  reaches,
  stateOf,
} from '../../stats/sequential-test.js';
import type { Finding, TrialRange } from '../course.js';
import { alarmBoundary, clearerIfPooled, discoveryRate, rowAgainst, rowForAlarm } from '../false-alarms.js';
import { baselineDoubt, type BaselineDoubt } from './baseline-doubt.js';
import { confirmPassing, confirmRowOfPasses } from './confirm-improvement.js';
import { freshForRate, freshLimit, settled, unsettled, type Conclusion, type FreshTrials } from './conclusion.js';
import { expectedResult, rowSinceKnown } from './known-from-few.js';
import { passesBehind } from './passes-behind.js';
import { passesThatClear } from './rate-in-doubt.js';
import { repeated, type Answered, type Asking, type SampledCell } from './sample.js';
import { tally, testOf } from './sequential.js';

/**
 * Confirms or clears a result that contradicts the baseline, by a fresh sample. The trials that raised the doubt are not
 * part of it, because they were selected for contradicting it.
 * @param plannedCells of the whole run, before any shard was cut: the more cells, the stronger the evidence for an alarm
 * @param doubt what the result may mean, where a course knows that better than the baseline alone
 */
export function* confirmDoubt(
  ticket: Ticket,
  sampled: SampledCell,
  plannedCells: number,
  doubt = ticket.confirm ? baselineDoubt(ticket, sampled, plannedCells) : null,
): Asking<Finding> {
  if (doubt === null) return sampled.conclude();
  const trials = freshTrialsOf(sampled, plannedCells);
  const conclusion = yield* resolve(doubt, ticket, sampled, trials);
  const { passed, total } = tally(trials.fresh(), sampled.isGood);
  const finding = sampled.conclude();
  // It was only asked again because it dropped in the run before, and nothing came of it.
  const answers = [...trials.first, ...trials.fresh()];
  if (
    ticket.dropped &&
    conclusion.surprise === 'unsettled' &&
    answers.every(({ outcome }) => sampled.isGood(outcome))
  ) {
    return finding;
  }
  return {
    ...finding,
    needed: Math.max(finding.needed, conclusion.needed),
    surprise: conclusion.surprise,
    fresh: { suspicion: doubt.suspicion, passed, total, pValue: conclusion.pValue },
  };
}

/** Expects that nothing contradicts the baseline. A new cell that fails is asked until that is decided. */
export function confirmationCost(ticket: Ticket): TrialRange {
  const { confirm, expected } = ticket;
  const ifItFails = confirm && expected.kind === 'new' ? failuresToBroken(testOf(ticket)) : 0;
  return { expected: 0, largest: confirm ? freshLimit : 0, likely: [0, ifItFails] };
}

/** Every trial from here on is fresh. */
export function freshTrialsOf({ sample, isSameQuestion }: SampledCell, plannedCells: number): FreshTrials {
  const first = sample.judged(isSameQuestion);
  return { first, fresh: () => sample.judged(isSameQuestion).slice(first.length), plannedCells };
}

function resolve(doubt: BaselineDoubt, ticket: Ticket, sampled: SampledCell, trials: FreshTrials): Asking<Conclusion> {
  switch (doubt.by) {
    case 'failures':
      return weighEvidence(doubt, ticket, sampled, trials);
    case 'passes':
      return confirmPassing(testOf(ticket), sampled, trials);
    case 'passing':
      return confirmRowOfPasses(doubt.row, sampled, trials);
    case 'kind':
      return unbrokenRow(
        sampled,
        trials,
        ({ outcome }) => !outcome.passed && failsAsKnown(doubt.entry, outcome),
        doubt.known,
      );
    case 'rate':
      return compareRates(doubt, ticket, sampled, trials);
    case 'row':
      return rowSinceKnown(ticket, expectedResult(doubt.known, doubt.suspicion, sampled), sampled, trials);
  }
}

/**
 * Confirms when the sequential test decides `broken` over the fresh sample, and clears when it decides `reliable` over all
 * trials. A new cell has no history to contradict, so the ordinary boundary is enough. A cell that still passes sometimes
 * may have been lucky when it was accepted: how often it passes then takes the whole sample, and is judged over the run.
 */
function* weighEvidence(
  { suspicion }: BaselineDoubt,
  ticket: Ticket,
  sampled: SampledCell,
  trials: FreshTrials,
): Asking<Conclusion> {
  const test = testOf(ticket);
  const alarm = suspicion === 'new' ? boundary(test) : alarmBoundary(trials.plannedCells);
  const before = tally(trials.first, sampled.isGood);
  for (;;) {
    const fresh = tally(trials.fresh(), sampled.isGood);
    if (reaches(evidenceOfBroken(test, fresh.passed, fresh.failed), alarm)) {
      if (suspicion === 'regression' && fresh.passed > 0 && passesBehind(ticket) !== null) {
        yield* sampled.sample.take(repeated(sampled.question, freshLimit - fresh.total));
      }
      return settled('confirmed');
    }
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
 * trial showed it, and clears as soon as one trial shows it. A cell that is known from few trials needs a longer row.
 */
export function* unbrokenRow(
  sampled: Pick<SampledCell, 'sample' | 'question'>,
  { first, fresh, plannedCells }: FreshTrials,
  isExpected: (answer: Answered) => boolean,
  known: number | null,
): Asking<Conclusion> {
  const row = Math.min(freshLimit, rowWithoutExpected(plannedCells, known));
  for (;;) {
    if ([...first, ...fresh()].some(isExpected)) return settled('cleared');
    const missing = row - fresh().length;
    if (missing <= 0) return settled('confirmed');
    if (sampled.sample.isExhausted()) return unsettled(missing);
    // A single trial first, since it settles most differences of this kind.
    yield* sampled.sample.take(repeated(sampled.question, fresh().length === 0 ? 1 : missing));
  }
}

/** All of the few known trials gave the expected result, or else they would not have been accepted as they were. */
function rowWithoutExpected(plannedCells: number, known: number | null): number {
  const usual = rowForAlarm(plannedCells);
  if (known === null) return usual;
  const alike = { passed: known, total: known };
  return Math.max(usual, rowAgainst(alike, 'changed', plannedCells, freshLimit) ?? usual);
}

/**
 * Compares the fresh sample with the known rate, and ends it as soon as so many trials passed that no alarm can come of it.
 * Of a cell of which little is known yet, the whole sample is asked: later nights compare with what it teaches. A cell
 * whose rate was pooled from the runs since it was accepted was expected to do better, so it must not stay unnoticed
 * when it no longer passes at all: then the row is made long enough.
 */
function* compareRates(
  doubt: Extract<BaselineDoubt, { by: 'rate' }>,
  ticket: Ticket,
  sampled: SampledCell,
  trials: FreshTrials,
): Asking<Conclusion> {
  // Whatever was chosen for having passed passes less often the next time; Bonferroni allows for each possible choice.
  const clearer = (doubt.pooled ? clearerIfPooled : 1) * (doubt.chosenFrom ?? 1);
  const isLearning = doubt.pooled && doubt.baseline.total < freshLimit;
  const enough = isLearning ? freshForRate : Math.max(1, passesThatClear(doubt.baseline, freshForRate, clearer));
  const fresh = () => tally(trials.fresh(), sampled.isGood);
  for (;;) {
    const { passed, total } = fresh();
    const missing = Math.min(freshForRate - total, enough - passed);
    if (missing <= 0) break;
    if (sampled.sample.isExhausted()) return unsettled(freshForRate - total);
    yield* sampled.sample.take(repeated(sampled.question, missing));
  }
  if (doubt.pooled) {
    const result = expectedResult(doubt.baseline, doubt.suspicion, sampled);
    const row = yield* rowSinceKnown(ticket, result, sampled, trials);
    if (row.surprise !== 'cleared') return row;
  }
  const pValue = Math.min(1, probabilityOfFewer(fresh(), doubt.baseline) * clearer);
  return { surprise: pValue <= discoveryRate ? 'confirmed' : 'cleared', needed: 0, pValue };
}
