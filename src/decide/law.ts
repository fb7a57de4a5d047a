import type { CellState, DoubtRun } from '../baseline/entries.js';
import type { Outcome } from '../judge/outcome.js';
import { hasRate, type Ticket } from '../plan/ticket.js';
import { sumOf, type Count } from '../stats/count.js';
import { evidence, swapped, wellKnown } from '../stats/evidence.js';
import { defaultTest, stateOf } from '../stats/sequential-test.js';

/**
 * What is expected of the trials of a cell. `pass`, `fail`: always so, as far as is known; `rate`: at times;
 * `worse`: at times, and only that they pass less often is news.
 */
type Expectation = 'pass' | 'fail' | 'rate' | 'worse';

interface Weighed {
  /** log10 E */
  readonly log10: number;
  /** `aside`: the last run shows that what those before it proved is over. */
  readonly outcome: 'alarm' | 'clear' | 'aside' | 'open';
  /** Whether further trials may settle it. */
  readonly asks: boolean;
}

/** Trials of a doubt in one run, at most; and runs of a doubt. */
export const mostTrials = 60;
const mostRuns = 5;

/** Evidence up to Euler's number, after this many trials, is none. */
const hardlyAny = Math.log10(Math.E);
const enoughTrials = 20;

/** A cell that passes in fewer of its trials than this passes at times, whatever a baseline calls it. */
const sound = 0.9;

export function expectationOf(verdict: 'pass' | 'flaky' | 'fail', { passed, total }: Count): Expectation {
  if (verdict === 'flaky') return 'rate';
  if (total < wellKnown || passed === 0 || passed >= sound * total) return verdict;
  return verdict === 'pass' ? 'worse' : 'rate';
}

/** One direction in which something may have changed, in counts of trials that are as expected. */
interface Side {
  readonly known: Count;
  readonly runs: readonly Count[];
}

/**
 * What the trials of a doubt say. It is an alarm when the evidence reaches the bound and no trial of its last run was
 * as expected. If some were, two runs must show it: without either, the evidence still reaches half the bound's
 * logarithm.
 * @param bound log10
 */
export function weigh(expectation: Expectation, { known, doubt }: CellState, bound: number): Weighed {
  const sides = sidesOf(expectation, known, doubt);
  const log10 = Math.max(...sides.map(weightOf));
  if (sides.some((side) => isAlarm(side, bound))) return { log10, outcome: 'alarm', asks: false };
  const wasAlarm = sidesOf(expectation, known, doubt.slice(0, -1)).some((side) => weightOf(side) >= bound);
  if (isClear(expectation, wasAlarm ? sidesOf(expectation, known, doubt.slice(-1)) : sides)) {
    return { log10, outcome: wasAlarm ? 'aside' : 'clear', asks: false };
  }
  const waits = doubt.length === 1 && log10 >= bound;
  // One that passes at times is asked until it passes, and no further while nothing else speaks for a change.
  const isTelling = isConstant(expectation) || isDoubtful(expectation, log10) || doubt.at(-1)?.passed === 0;
  return { log10, outcome: 'open', asks: !waits && isTelling };
}

/** Whether it is worth a word. A cell that passes at times is in some small doubt every night. */
export function isDoubtful(expectation: Expectation, log10: number): boolean {
  return log10 > (isConstant(expectation) ? 0 : hardlyAny);
}

/** What is kept after a run. An alarm stays until it is accepted or over. */
export function stateAfter({ known, doubt }: CellState, outcome: Weighed['outcome']): CellState {
  if (outcome === 'alarm') return { known, doubt: doubt.slice(-mostRuns) };
  if (outcome === 'open' && doubt.length < mostRuns) return { known, doubt };
  return { known: sumOf([known, ...(outcome === 'aside' ? doubt.slice(-1) : doubt)]), doubt: [] };
}

/** Whether a trial opens a doubt. */
export function contradicts(expectation: Expectation, { passed, other = 0 }: DoubtRun): boolean {
  if (expectation === 'rate' || expectation === 'worse') return true;
  return expectation === 'fail' ? passed + other > 0 : passed === 0;
}

const isConstant = (expectation: Expectation): boolean => expectation === 'pass' || expectation === 'fail';

function sidesOf(expectation: Expectation, known: Count, doubt: readonly DoubtRun[]): readonly Side[] {
  const drop = { known, runs: doubt };
  if (expectation === 'pass' || expectation === 'worse') return [drop];
  const rise = { known: swapped(known), runs: doubt.map(failedAsKnown) };
  if (expectation === 'fail') return [rise];
  // That a cell passes at times is often luck in the few trials that were accepted.
  return known.total < wellKnown ? [drop] : [drop, rise];
}

const failedAsKnown = ({ passed, total, other = 0 }: DoubtRun): Count => ({ passed: total - passed - other, total });

const weightOf = ({ known, runs }: Side): number => evidence(known, sumOf(runs));

function isAlarm({ known, runs }: Side, bound: number): boolean {
  const last = runs.at(-1);
  if (last?.passed === 0 && evidence(known, last) >= bound) return true;
  if (evidence(known, sumOf(runs)) < bound) return false;
  return runs.length > 1 && runs.every((_, left) => evidence(known, sumOf(runs.toSpliced(left, 1))) >= bound / 2);
}

function isClear(expectation: Expectation, sides: readonly Side[]): boolean {
  return sides.some(({ known, runs }) => {
    const { passed, total } = sumOf(runs);
    if (known.total === 0) return true;
    if (!isConstant(expectation)) return total >= enoughTrials && sides.every((side) => weightOf(side) <= hardlyAny);
    if (expectation === 'fail' || known.total < wellKnown) return passed > 0;
    return stateOf(defaultTest, passed, total - passed) === 'reliable';
  });
}

/** So many trials that all failed alike show that a cell fails for the cause that another one has proved. */
export const enoughAlike = 2;

/** Failures of a model with the same class and reason have the same cause. */
export function nameOfCause({ cell }: Ticket, { class: failure, reason }: Pick<Outcome, 'class' | 'reason'>): string {
  return JSON.stringify([cell.model.key, failure, reason]);
}

/**
 * The cause that a cell shows which is expected to pass, and which another cell may prove for it.
 * null: some trials passed, they failed in several ways, or they are too few. A threshold and a keyword need a proof of
 * their own.
 */
export function causeIn(ticket: Ticket, outcomes: readonly Outcome[]): string | null {
  const judged = outcomes.filter(({ fault }) => !fault);
  if (ticket.expected.kind === 'new' || !hasRate(ticket) || judged.length < enoughAlike) return null;
  const causes = new Set(judged.map((outcome) => (outcome.passed ? null : nameOfCause(ticket, outcome))));
  const [cause = null] = causes;
  return causes.size === 1 ? cause : null;
}
