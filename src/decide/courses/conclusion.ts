import type { DoubtOutcome } from '../../cell/verdict.js';
import type { Answered } from './sample.js';

/** What a fresh sample says about a difference from the baseline. */
export interface Conclusion {
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

/** Most fresh trials for one difference. One that they do not settle is shown but raises no alarm. */
export const freshLimit = 60;
/** Fresh trials, or replies of a keyword, from which a rate is compared with the known one. */
export const freshForRate = 20;

export const settled = (surprise: 'confirmed' | 'cleared'): Conclusion => ({ surprise, needed: 0, pValue: null });
export const unsettled = (needed: number): Conclusion => ({ surprise: 'unsettled', needed, pValue: null });
