import type { Deviation } from '../../../matrix/standing/deviations.js';
import type { SinceOfSeveral } from '../../history/since-text.js';
import type { Direction, DirectionMark } from './direction.js';

/** Deviations with one explanation: what changed, where, and what to do about it. Plain data, true of each of its cells. */
export interface Cause {
  readonly direction: Direction;
  readonly mark: DirectionMark;
  /** `TARGET/MODEL` of each model with this cause. */
  readonly models: readonly string[];
  /** What its cells have in common: "tool_choice=object"; of the wire, the quirk; null of a model that is gone. */
  readonly subject: string | null;
  /** What the baseline expects: "passes". */
  readonly before: string;
  /** What the run shows: "fails with HTTP 500, server_error". */
  readonly now: string;
  /** "qwen3-235b: tool_choice=object now fails with HTTP 500, server_error (6 cells)" */
  readonly sentence: string;
  readonly cells: readonly CauseCell[];
  /** "6 cells", "3 of 9 cells"; of a model that is gone, or of the wire, how many models. */
  readonly amount: string;
  /** "0 of 18 fresh trials passed", if all cells have fresh samples; else "0 of 18 trials passed" of all; null: none. */
  readonly trials: string | null;
  /** Rates and thresholds before and now, of the example's cell; null where the change is not about them. */
  readonly figures: string | null;
  /** null where earlier runs are not known to show it. */
  readonly since: SinceOfSeveral | null;
  /** What a failing exchange shows, with what support can search for; null where there is none. */
  readonly example: CauseExample | null;
  /** What its cells say besides the example. */
  readonly also: readonly CauseFault[];
  /** Notes and links of the baseline's entries, each once. */
  readonly notes: readonly string[];
  /** Shows the evidence of the example's cell, or asks a model that is gone once more; null where there is neither. */
  readonly evidence: string | null;
  readonly accept: AcceptAdvice;
  /** In the order of the report. */
  readonly deviations: readonly Deviation[];
}

/** A cell of a cause, with what the cause leaves out because it differs from cell to cell. */
export interface CauseCell {
  readonly key: string;
  readonly model: string;
  /** "expected to pass, now fails: http_error 500 (0 of 3 fresh trials passed)" */
  readonly what: string;
  readonly detail: string | null;
  readonly support: string | null;
  readonly note: string | null;
}

export interface CauseExample {
  readonly cell: string | null;
  readonly exchange: string | null;
  readonly detail: string | null;
  readonly support: string | null;
}

/** Something else that failing trials of a cause say, with one that says it. */
export interface CauseFault {
  /** "/quantity must be integer" */
  readonly text: string;
  readonly cell: string;
  readonly support: string | null;
  /** Shows the trial. */
  readonly evidence: string;
}

/** How to accept what changed, and nothing else. */
export type AcceptAdvice =
  | {
      readonly command: string;
      /** What the command accepts as well, in a sentence; null: nothing. */
      readonly also: string | null;
    }
  | {
      readonly command: null;
      /** Why it cannot be accepted, in a sentence. */
      readonly why: string;
    };
