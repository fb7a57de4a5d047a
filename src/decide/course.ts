import type { CellState, WayCounts } from '../baseline/entries.js';
import type { Enforcement, Standing, DoubtOutcome, Verdict } from '../cell/verdict.js';
import type { Exchange } from '../chat/exchange.js';
import type { Reason, OutcomeClass, Outcome, Rung } from '../judge/outcome.js';
import type { Ask, Send, PlannedCell } from '../plan/plan.js';
import type { Count } from '../stats/count.js';

export interface Threshold {
  readonly value: number | null;
  /** The probe passes up to the value; absent: from it on. */
  readonly largest?: true;
  readonly last_failing: number | null;
  readonly monotonic: boolean;
  /** [x, passed, total] in ascending order of x. */
  readonly curve: readonly (readonly [number, number, number])[];
}

/** The conclusion of a course about a cell. */
export interface Finding {
  readonly verdict: Verdict;
  /** Of the most frequent failing outcome (or fault, when inconclusive); null on pass. */
  readonly class: OutcomeClass | null;
  readonly reason: Reason | null;
  readonly status: number | null;
  readonly detail: string | null;
  readonly rung: Rung | null;
  readonly trials: {
    readonly total: number;
    readonly passed: number;
    readonly faults: number;
    /** Wilson, 95 %; [0, 1] without trials. */
    readonly interval: readonly [number, number];
    /** Where they failed in more than one way: how often in each, as `wayOf` names it. */
    readonly ways?: WayCounts;
  };
  /** Further trials that would have been needed to decide; 0 when decided. */
  readonly needed: number;
  readonly quirks: readonly string[];
  /** The outcome of a contradiction to the baseline; null: there was none. */
  readonly doubtOutcome: DoubtOutcome;
  readonly threshold: Threshold | null;
  readonly enforcement: Enforcement | null;
  /**
   * Members of the root that replies under an ignored schema broke, over all of them; absent: none, or none is known.
   */
  readonly broken_members?: readonly string[];
  readonly recovery: { readonly recovered: number; readonly of: number } | null;
  /** Known trials by now, and the doubt; null for a cell that is new or was not judged. */
  readonly law: Law | null;
  /** The trials that the plan asks in any case; absent where they make up no pass rate. */
  readonly first?: FirstTrials;
}

/** Trials that were asked whatever any of them showed, so that they can be added up over the cells of a model. */
export interface FirstTrials {
  readonly total: number;
  /** The failed ones by kind. */
  readonly failed: readonly (FailureKind & { readonly count: number })[];
}

/** The marks that failures with one cause share. */
export type FailureKind = Pick<Finding, 'class' | 'reason'>;

/** The standing that a difference from the baseline leads to if it is confirmed. */
export type Suspicion = Exclude<Standing, 'as_expected' | 'unreliable' | null>;

/** How a cell compares with what is known of it, after a run. */
export interface Law extends CellState {
  /** log10 of the evidence that the doubt passes more rarely than what is known, or otherwise; 0 without a doubt. */
  readonly changed: number;
  /** log10 of the evidence that it passes less than 95 times in 100; 0 where it is not expected to pass. */
  readonly holds: number;
  /** log10 of what either must reach for an alarm. */
  readonly bound: number;
  /** The change that is in doubt; null: none. */
  readonly suspicion: Suspicion | null;
  /** From which run of `doubt` on the evidence is strongest; the runs before it count as known. */
  readonly start: number;
}

/** The outcome of an ask; undefined if it was no longer asked or did not finish. */
export type JudgedAnswer = Outcome | undefined;

/** How many trials a course takes, retries of faults not counted. */
export interface TrialRange {
  readonly expected: number;
  readonly largest: number;
}

/** A trial that a run recorded. */
export interface RecordedTrial {
  readonly ask: Ask;
  readonly outcome: Outcome;
}

/**
 * How a verdict is reached: asks for trials in batches and receives their outcomes in the order of the asks.
 * @param recorded all trials of the cell, where a run is judged again whose course asked for others than this one
 * would: the course then concludes from them
 */
export type Course = (
  planned: PlannedCell,
  recorded?: readonly RecordedTrial[],
) => Generator<readonly Ask[], Finding, readonly JudgedAnswer[]>;

/** The trials of a cell. Each asks for sends and receives exchanges, and judges them. It does no I/O of its own. */
export type Trial = (planned: PlannedCell) => (ask: Ask) => Sending<Outcome>;

/** A trial or a part of one: asks for sends, receives exchanges, gives a result. */
export type Sending<Result> = Generator<Send, Result, Exchange>;

/** A kind of failure that more answers of a model show than is known, over its cells that are expected to pass. */
export interface SharedFailure extends FailureKind {
  /** First trials of each run that is in doubt; whatever did not fail so counts as passed. */
  readonly doubt: readonly Count[];
  /** How many runs these are, and their trials together. */
  readonly runs: number;
  readonly failed: number;
  readonly total: number;
  /** Counts of the same cells from before. */
  readonly before: { readonly failed: number; readonly total: number };
  /** log10 of the evidence, and of what it must reach for an alarm. */
  readonly log10: number;
  readonly bound: number;
  /** By cell key: how many of its first trials failed so. */
  readonly cells: Readonly<Record<string, number>>;
  /** true: an alarm. false: in doubt, until another run shows it as well. */
  readonly alarm: boolean;
}
