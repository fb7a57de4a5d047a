import type { FailureKind } from './course.js';

/** A kind of failure that more answers of a model show than earlier ones explain, although no cell by itself proves it. */
export interface SharedFailure extends FailureKind {
  /** How many runs in a row showed it, this one included. */
  readonly runs: number;
  /** Of the first trials of those runs. */
  readonly failed: number;
  readonly total: number;
  /** What is known of the same cells from before. */
  readonly before: { readonly failed: number; readonly total: number };
  /** By cell key: how many of its first trials failed so. */
  readonly cells: Readonly<Record<string, number>>;
  /** It is an alarm. Otherwise it is in doubt: the next run shows whether it was chance, or a bad hour. */
  readonly alarm: boolean;
}
