import { splitAtModel } from '../../cell/cell-key.js';
import type { JudgedVerdict } from '../../cell/verdict.js';
import type { Count } from '../../stats/count.js';
import { firstTrialsOf } from '../first-trials.js';
import type { ReportCell } from '../report-format.js';

export type JudgedCell = ReportCell & { readonly verdict: JudgedVerdict };

/** A cell that both sides judged, under the name that they share. */
export interface Pair {
  readonly name: string;
  readonly base: JudgedCell;
  readonly head: JudgedCell;
}

export type Direction = 'lost' | 'gained';

/** The name of the model that both sides share; empty where two models are compared. */
export function modelOf({ name }: Pick<Pair, 'name'>): string {
  return splitAtModel(name).model ?? '';
}

export function rateOf({ passed, total }: Count): number {
  return passed / total;
}

export function countOf({ trials: { passed, total } }: Pick<ReportCell, 'trials'>): Count {
  return { passed, total };
}

/**
 * Of both sides only the trials that were asked whatever they showed, where they are as many: a failure leads to a fresh
 * sample, and one of six trials says less than the one that was asked. All trials where one side was asked more.
 */
export function comparedCounts(one: ReportCell, other: ReportCell): readonly [Count, Count] {
  const first = [firstTrialsOf(one), firstTrialsOf(other)] as const;
  return first[0].total === first[1].total ? first : [countOf(one), countOf(other)];
}

/**
 * Whether the counts of both sides tell how often the same thing works. Those of a keyword that neither side enforces do
 * not: some replies keep to it by chance, and a refused schema gives no reply at all.
 */
export function countSameThing({ base, head }: Pair): boolean {
  const isLoose = ({ enforcement }: JudgedCell) => enforcement !== null && enforcement !== 'enforced';
  return !(isLoose(base) && isLoose(head));
}
