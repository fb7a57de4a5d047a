/** The results of a cell. */
export const verdicts = ['pass', 'flaky', 'fail', 'inconclusive', 'blocked', 'not_run'] as const;
export type Verdict = (typeof verdicts)[number];

/** The verdicts that say something about the model. */
export type JudgedVerdict = Extract<Verdict, 'pass' | 'flaky' | 'fail'>;

export function isJudgement(verdict: Verdict | null): verdict is JudgedVerdict {
  return verdict === 'pass' || verdict === 'flaky' || verdict === 'fail';
}

export function isJudged<C extends { readonly verdict: Verdict }>(cell: C): cell is C & { verdict: JudgedVerdict } {
  return isJudgement(cell.verdict);
}

/**
 * Whether a cell with this verdict meets the need of another. One that passes at times does: whether a failure is more
 * than the need's own is judged when the report is made.
 */
export function meetsNeed(verdict: Verdict | undefined): verdict is 'pass' | 'flaky' {
  return verdict === 'pass' || verdict === 'flaky';
}

/** How a judged cell compares with the baseline; null for a cell that was not judged. */
export const standings = ['as_expected', 'regression', 'changed', 'improvement', 'unreliable', 'new'] as const;
export type Standing = (typeof standings)[number] | null;

/**
 * The outcome of a difference from the baseline; null: there was none. `unreliable`: little was known of the cell, and
 * that it passes does not hold.
 */
export type DoubtOutcome = 'confirmed' | 'cleared' | 'unsettled' | 'unreliable' | null;

/** How a service treats a schema keyword of a request. */
export const enforcements = ['enforced', 'ignored', 'refused', 'broken', 'unclear'] as const;
export type Enforcement = (typeof enforcements)[number];
