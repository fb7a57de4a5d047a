import type { CellState, DoubtRun, TrialCounts } from '../baseline/entries.js';
import { joined, knownWay, waysByCount } from '../baseline/ways-of-failing.js';
import type { CoveredCell } from '../baseline/expected.js';
import type { Outcome } from '../judge/outcome.js';
import { hasRate, type PlannedCell } from '../plan/plan.js';
import { sumOf, type Count } from '../stats/count.js';
import { evidenceAgainstClaim, evidenceOfChange, swapped, wellKnown } from '../stats/evidence.js';
import { defaultTest, sequentialTestState } from '../stats/sequential-test.js';
import type { Suspicion } from './course.js';
import { writtenJson } from '../json/json.js';

/** The expectation of a cell's trials: `pass`, `fail`: always so; `rate`: they pass at times. */
export type TrialExpectation = 'pass' | 'fail' | 'rate';

/** The trials of a doubt, run by run; the last run is the one that is being asked. */
export interface Weighed {
  /** log10 E: that it has changed. */
  readonly changed: number;
  /** log10 E': that it does not hold; 0 where it is not expected to pass. */
  readonly holds: number;
  /** `over`: the doubt is cleared, or the alarm is over. */
  readonly outcome: 'alarm' | 'unreliable' | 'over' | 'open';
  /** Whether further trials may settle it. */
  readonly asks: boolean;
  /** The standing that a proof would give. */
  readonly suspicion: Suspicion;
  /** Of a cell that passes at times: from which of its runs on the evidence is strongest; what lies before is known. */
  readonly start: number;
}

/** Trials because of a doubt in one run, at most. */
export const mostDoubtTrials = 60;
/** Fewer trials of one run are no alarm by themselves. */
const fewestAtOnce = 10;
/** Of a cell that passes at times, in each run. */
export const trialsOfRate = 3;
/** Runs that are kept apart. */
const mostSeparateRuns = 30;
/** Evidence up to Euler's number, after this many trials, is none: a cell that passes at times is always in doubt. */
const hardlyAny = Math.log10(Math.E);
const enoughOfRate = 20;

export function trialExpectation(expected: CoveredCell): TrialExpectation {
  if (expected.state?.unreliable === true) return 'rate';
  if (expected.kind === 'pass') return 'pass';
  const { verdict } = expected.entry;
  return verdict === 'flaky' ? 'rate' : verdict;
}

/** One thing that may have changed, in counts of trials that are as expected. */
interface SuspectedChange {
  readonly suspicion: Suspicion;
  readonly known: Count;
  readonly runs: readonly Count[];
  /** Whether one run may prove it. */
  readonly atOnce: boolean;
  readonly evidence: (known: Count, doubt: Count) => number;
}

/** Two runs must show it: the evidence of all runs, and twice what is left without the one that speaks strongest. */
function inTwoRuns(runs: readonly Count[], evidence: (doubt: Count) => number): number {
  const all = sumOf(runs);
  const left = ({ passed, total }: Count) => evidence({ passed: all.passed - passed, total: all.total - total });
  return Math.min(evidence(all), 2 * Math.min(...runs.map(left)));
}

const weightOf = ({ known, runs, evidence }: SuspectedChange): number => evidence(known, sumOf(runs));

function proves(side: SuspectedChange, bound: number): boolean {
  const { known, runs, evidence, atOnce } = side;
  const last = runs.at(-1);
  const isTotal = last !== undefined && last.passed === 0 && last.total >= fewestAtOnce;
  if (atOnce && isTotal && evidence(known, last) >= bound) return true;
  return weightOf(side) >= bound && inTwoRuns(runs, (doubt) => evidence(known, doubt)) >= bound;
}

/** Where little is known, that a cell passes at times, or fails in this way at times, is no more than luck. */
const whereWellKnown = (known: Count, doubt: Count): number =>
  known.total < wellKnown ? 0 : evidenceOfChange(known, doubt);

/**
 * @param bound log10
 * @param state with the run that is being asked as the last of the doubt
 */
export function weigh(expectation: TrialExpectation, state: CellState, bound: number): Weighed {
  switch (expectation) {
    case 'pass':
      return weighPassing(state, bound);
    case 'fail':
      return weighFailing(state, bound);
    case 'rate':
      return weighRate(state, bound);
  }
}

function weighPassing({ known, doubt, alarmed }: CellState, bound: number): Weighed {
  const side: SuspectedChange = {
    suspicion: 'regression',
    known,
    runs: doubt,
    atOnce: true,
    evidence: evidenceOfChange,
  };
  const run = lastOf(doubt);
  const weighed = {
    changed: weightOf(side),
    holds: evidenceAgainstClaim(sumOf(doubt)),
    suspicion: side.suspicion,
    start: 0,
  };
  // Nothing is known that it could contradict.
  if (known.total === 0) return { ...weighed, outcome: 'over', asks: false };
  const hasFailed = run.passed < run.total;
  const isBroken = hasFailed && weighed.holds >= bound && inTwoRuns(doubt, evidenceAgainstClaim) >= bound;
  if (hasFailed && proves(side, bound)) return { ...weighed, outcome: 'alarm', asks: false };
  if (isBroken && (known.total >= wellKnown || alarmed === true)) return { ...weighed, outcome: 'alarm', asks: false };
  if (isBroken) return { ...weighed, outcome: 'unreliable', asks: false };
  const isOver = sequentialTestState(defaultTest, run.passed, run.total - run.passed) === 'reliable';
  if (isOver) return { ...weighed, outcome: 'over', asks: false };
  return { ...weighed, outcome: 'open', asks: asksOn([side], doubt, bound) };
}

/** Another run must show what passes in part; nothing more is asked of this one. */
function asksOn(sides: readonly SuspectedChange[], doubt: readonly DoubtRun[], bound: number): boolean {
  if (lastOf(doubt).total >= mostDoubtTrials) return false;
  if (doubt.length > 1) return true;
  return sides.every((side) => weightOf(side) < bound || (side.runs.at(-1)?.passed ?? 0) === 0);
}

function weighFailing({ known, doubt }: CellState, bound: number): Weighed {
  const sides = failingSides(known, doubt);
  const strongest = sides.reduce((one, other) => (weightOf(other) > weightOf(one) ? other : one));
  const weighed = { changed: weightOf(strongest), holds: 0, suspicion: strongest.suspicion, start: 0 };
  const usual = usualIn(known, lastOf(doubt));
  const isNews = usual < lastOf(doubt).total;
  if (isNews && sides.some((side) => proves(side, bound))) return { ...weighed, outcome: 'alarm', asks: false };
  if (usual > 0) return { ...weighed, outcome: 'over', asks: false };
  return { ...weighed, outcome: 'open', asks: asksOn(sides, doubt, bound) };
}

/**
 * The changes of a failing cell: a pass or an unseen way of failing, and a rare way that has become usual, each
 * against how often that is known.
 */
function failingSides(known: TrialCounts, doubt: readonly DoubtRun[]): readonly SuspectedChange[] {
  const ways = known.ways ?? {};
  const unseen = doubt.map((run) => failuresOf(run, (way) => !isSeen(known, way)));
  const passed = doubt.reduce((sum, run) => sum + run.passed, 0);
  const isImproved = passed > 0 && passed >= unseen.reduce((sum, count) => sum + count, 0);
  const news: SuspectedChange = {
    suspicion: isImproved ? 'improvement' : 'changed',
    known: swapped(known),
    runs: doubt.map((run, index) => ({ passed: run.total - run.passed - (unseen[index] ?? 0), total: run.total })),
    atOnce: true,
    evidence: evidenceOfChange,
  };
  const rare = waysByCount(ways)
    .slice(1)
    .map(([rareWay, count]): SuspectedChange => ({
      suspicion: 'changed',
      known: { passed: known.total - count, total: known.total },
      runs: doubt.map((run) => ({
        passed: run.total - failuresOf(run, (way) => knownWay(ways, way) === rareWay),
        total: run.total,
      })),
      atOnce: true,
      evidence: whereWellKnown,
    }));
  return [news, ...rare];
}

const isSeen = ({ ways = {} }: TrialCounts, way: string): boolean => Object.hasOwn(ways, knownWay(ways, way));

function failuresOf(run: TrialCounts, isOf: (way: string) => boolean): number {
  return Object.entries(run.ways ?? {}).reduce((sum, [way, count]) => (isOf(way) ? sum + count : sum), 0);
}

/** How many trials failed in the way that is known best. */
function usualIn({ ways = {} }: TrialCounts, run: TrialCounts): number {
  const [best] = waysByCount(ways);
  return best === undefined ? 0 : failuresOf(run, (way) => knownWay(ways, way) === best[0]);
}

/** A cell that passes at times is weighed from the start that speaks strongest, in both directions. */
function weighRate({ known, doubt, alarmed, unreliable }: CellState, bound: number): Weighed {
  const starts = doubt.map((_, start) => ({
    start,
    sides: rateSides(sumOf([known, ...doubt.slice(0, start)]), doubt.slice(start)),
  }));
  let strongest = { changed: 0, start: doubt.length, suspicion: 'regression' as Suspicion };
  let proof: Suspicion | null = null;
  for (const { start, sides } of starts) {
    for (const side of sides) {
      const changed = weightOf(side);
      if (changed > strongest.changed) strongest = { changed, start, suspicion: side.suspicion };
      if (changed >= bound && proves(side, bound)) proof ??= side.suspicion;
    }
  }
  const run = lastOf(doubt);
  const weighed = { ...strongest, suspicion: proof ?? strongest.suspicion, holds: 0 };
  // One that was expected to pass and does so again is as it was accepted.
  if (proof === 'improvement' && unreliable === true) return { ...weighed, outcome: 'over', asks: false };
  if (proof !== null) return { ...weighed, outcome: 'alarm', asks: false };
  const isInOrder = run.total >= enoughOfRate && rateSides(known, [run]).every((side) => weightOf(side) <= hardlyAny);
  if (alarmed === true && isInOrder) return { ...weighed, outcome: 'over', asks: false };
  const hasSettled = run.passed > 0 || run.total >= enoughOfRate;
  const isQuiet = known.total < wellKnown || (alarmed !== true && strongest.changed <= hardlyAny && hasSettled);
  const all = rateSides(known, doubt);
  return { ...weighed, outcome: 'open', asks: !isQuiet && asksOn(all, doubt, bound) };
}

/** A failure that many cells of a model share, as counts of first trials that did not fail so. */
interface SharedTrials {
  readonly known: Count;
  /** The run that is weighed is the last. */
  readonly doubt: readonly Count[];
  readonly alarmed: boolean;
}

/**
 * A model as a whole is one more row of the law, in one direction, from the start that speaks strongest; two runs must
 * show it.
 * @returns the runs of the doubt that stays; none: nothing is in doubt
 */
export function weighShared(
  { known, doubt, alarmed }: SharedTrials,
  bound: number,
): { readonly log10: number; readonly doubt: readonly Count[]; readonly alarm: boolean } {
  const run = doubt.slice(-1);
  const evidence = (one: Count): number => whereWellKnown(known, one);
  const starts = doubt.map((_, start) => ({ runs: doubt.slice(start), log10: evidence(sumOf(doubt.slice(start))) }));
  const strongest = starts.reduce((one, other) => (other.log10 > one.log10 ? other : one));
  const { log10 } = strongest;
  const isShown = evidence(sumOf(run)) > 0;
  if (isShown && starts.some(({ runs }) => inTwoRuns(runs, evidence) >= bound)) {
    return { log10, doubt: strongest.runs.slice(-mostSeparateRuns), alarm: true };
  }
  const isOver = alarmed && sumOf(run).total >= enoughOfRate && evidence(sumOf(run)) <= hardlyAny;
  if (isOver || log10 <= hardlyAny) return { log10, doubt: [], alarm: false };
  return { log10, doubt: strongest.runs.slice(-mostSeparateRuns), alarm: false };
}

const rateSides = (known: Count, runs: readonly Count[]): readonly SuspectedChange[] => [
  { suspicion: 'regression', known, runs, atOnce: true, evidence: whereWellKnown },
  {
    suspicion: 'improvement',
    known: swapped(known),
    runs: runs.map(swapped),
    atOnce: false,
    evidence: whereWellKnown,
  },
];

const lastOf = (doubt: readonly DoubtRun[]): DoubtRun => doubt.at(-1) ?? { passed: 0, total: 0 };

/**
 * Whether it is worth a word: an open doubt always is, of a cell that passes at times more than it shows each night.
 */
export function isDoubtful(expectation: TrialExpectation, { changed, suspicion }: Weighed): boolean {
  if (expectation === 'pass') return true;
  if (expectation === 'fail') return changed > 0 || suspicion === 'improvement';
  return changed > hardlyAny;
}

/** Whether a trial opens a doubt. */
export function contradicts(expectation: TrialExpectation, known: TrialCounts, run: TrialCounts): boolean {
  if (expectation === 'rate') return true;
  return (expectation === 'pass' ? run.passed : usualIn(known, run)) < run.total;
}

/**
 * The state that is kept after a run. No doubt expires; an alarm stays until it is accepted or over, and the trials of
 * one that is over are those of a fault that is gone.
 */
export function stateAfter(expectation: TrialExpectation, state: CellState, { outcome, start }: Weighed): CellState {
  const { known, doubt, alarmed, unreliable } = state;
  const stays = unreliable === true ? { unreliable } : {};
  switch (outcome) {
    case 'alarm':
      return { ...trimmed(expectation, known, doubt), alarmed: true, ...stays };
    case 'unreliable':
      return { known: joined([known, ...doubt]), doubt: [], unreliable: true };
    case 'over':
      if (unreliable === true && alarmed !== true) return { known: joined(doubt.slice(start)), doubt: [] };
      return { known: joined([known, ...(alarmed === true ? doubt.slice(-1) : doubt)]), doubt: [], ...stays };
    case 'open': {
      const kept = trimmed(expectation, known, doubt);
      return alarmed === true ? { ...kept, alarmed, ...stays } : { ...kept, ...stays };
    }
  }
}

/**
 * The oldest runs of a long doubt are put together; those of a cell that passes at times become known, and all while
 * little is known of it.
 */
function trimmed(
  expectation: TrialExpectation,
  known: TrialCounts,
  doubt: readonly DoubtRun[],
): Pick<CellState, 'known' | 'doubt'> {
  if (expectation === 'rate') {
    const isKept = (index: number): boolean =>
      known.total + sumOf(doubt.slice(0, index)).total >= wellKnown && doubt.length - index <= mostSeparateRuns;
    const first = doubt.findIndex((_, index) => isKept(index));
    const gone = first === -1 ? doubt : doubt.slice(0, first);
    return { known: joined([known, ...gone]), doubt: doubt.slice(gone.length) };
  }
  if (doubt.length <= mostSeparateRuns) return { known, doubt };
  const old = doubt.slice(0, 1 + doubt.length - mostSeparateRuns);
  const run = old.at(-1)?.run;
  return { known, doubt: [run === undefined ? joined(old) : { ...joined(old), run }, ...doubt.slice(old.length)] };
}

/** So many trials that all failed alike show that a cell fails for the cause that another one has proved. */
export const enoughAlike = 2;

/** Failures of a model with the same class and reason have the same cause. */
export function nameOfCause(
  { cell }: PlannedCell,
  { class: failure, reason }: Pick<Outcome, 'class' | 'reason'>,
): string {
  return writtenJson([cell.model.key, failure, reason]);
}

/**
 * The cause that a cell shows which is expected to pass, and which another cell may prove for it.
 * null: some trials passed, they failed in several ways, or they are too few. A threshold and a keyword need a proof of
 * their own.
 */
export function causeIn(planned: PlannedCell, outcomes: readonly Outcome[]): string | null {
  const judged = outcomes.filter(({ fault }) => !fault);
  if (planned.expected.kind === 'new' || !hasRate(planned) || judged.length < enoughAlike) return null;
  const causes = new Set(judged.map((outcome) => (outcome.passed ? null : nameOfCause(planned, outcome))));
  const [cause = null] = causes;
  return causes.size === 1 ? cause : null;
}
