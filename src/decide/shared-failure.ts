import type { Count } from '../stats/count.js';
import type { FailureKind } from './course.js';

/** A kind of failure that more answers of a model show than is known, over its cells that are expected to pass. */
export interface SharedFailure extends FailureKind {
  /** First trials of each run that is in doubt; whatever did not fail so counts as passed. */
  readonly doubt: readonly Count[];
  /** How many runs these are, and their trials together. */
  readonly runs: number;
  readonly failed: number;
  readonly total: number;
  /** What is known of the same cells from before. */
  readonly before: { readonly failed: number; readonly total: number };
  /** log10 of the evidence, and of what it must reach for an alarm. */
  readonly log10: number;
  readonly bound: number;
  /** By cell key: how many of its first trials failed so. */
  readonly cells: Readonly<Record<string, number>>;
  /** It is an alarm. Otherwise it is in doubt: the next run shows whether it was chance, or a bad hour. */
  readonly alarm: boolean;
}
