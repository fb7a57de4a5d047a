import { splitAtModel } from '../../cell/cell-key.js';
import type { JudgedVerdict } from '../../cell/verdict.js';
import { groupBy } from '../../json/group-by.js';
import { type Count, sumOf } from '../../stats/count.js';
import { boundOver, evidence, swapped } from '../../stats/evidence.js';
import type { ReportCapability, ReportCell } from '../report-format.js';

/** A cell that both sides judged, under the name that they share. */
export interface Pair {
  readonly name: string;
  readonly base: JudgedCell;
  readonly head: JudgedCell;
}

export type JudgedCell = ReportCell & { readonly verdict: JudgedVerdict };
type Direction = 'lost' | 'gained';

/** What makes a change more than chance: everything passed and nothing does, or the evidence of all trials. */
export type Proof = 'total' | 'rate';

/** A model that passes less often as a whole, beside the cells that were lost themselves. */
export interface WholeModel {
  readonly model: string;
  /** The trials of its cells that passed in the base. */
  readonly base: Count;
  readonly head: Count;
  /** As log10. */
  readonly evidence: number;
  readonly compared: number;
  /** Those that pass less often. */
  readonly cells: readonly string[];
}

export interface ConditionChange {
  readonly model: string;
  readonly capability: string;
  readonly base: Pick<ReportCapability, 'verdict' | 'condition'>;
  readonly head: Pick<ReportCapability, 'verdict' | 'condition'>;
  /** False if every change of its cells may be luck. */
  readonly significant: boolean;
}

export interface ThresholdChange {
  readonly cell: string;
  readonly base: number | null;
  readonly head: number | null;
  /** One side passed in every trial between the two values, and the other in none of several. */
  readonly significant: boolean;
}

/** The name of the model that both sides share; empty where two models are compared. */
export const modelIn = (name: string): string => splitAtModel(name).model ?? '';

export const countOf = ({ trials: { passed, total } }: Pick<ReportCell, 'trials'>): Count => ({ passed, total });
export const rateOf = ({ passed, total }: Count): number => passed / total;

/** A reliable cell may fail once, unless the service refuses its request. */
const fewestFailures = ({ class: failure }: JudgedCell): number => (failure === 'http_error' ? 1 : 2);

/** The cells that changed, by the name of the pair: the base is known, the head is the doubt. */
export function changedCells(pairs: readonly Pair[], direction: Direction): ReadonlyMap<string, Proof> {
  const bound = boundOver(pairs.length);
  return new Map(
    pairs.flatMap((pair): (readonly [string, Proof])[] => {
      const { name, base, head } = pair;
      const [was, is] = direction === 'lost' ? [base, head] : [head, base];
      if (was.verdict === 'pass' && is.verdict === 'fail' && is.trials.total >= fewestFailures(is))
        return [[name, 'total']];
      if ((direction === 'gained' && head.verdict !== 'pass') || !countSameThing(pair)) return [];
      return evidenceOf(pair, direction) >= bound ? [[name, 'rate']] : [];
    }),
  );
}

/** As log10. */
export function evidenceOf({ base, head }: Pick<Pair, 'base' | 'head'>, direction: Direction): number {
  const [known, doubt] = [countOf(base), countOf(head)];
  return direction === 'lost' ? evidence(known, doubt) : evidence(swapped(known), swapped(doubt));
}

/**
 * Whether the counts of both sides tell how often the same thing works. Those of a keyword that neither side enforces do
 * not: some replies keep to it by chance, and a refused schema gives no reply at all.
 */
export function countSameThing({ base, head }: Pair): boolean {
  const isLoose = ({ enforcement }: JudgedCell) => enforcement !== null && enforcement !== 'enforced';
  return !(isLoose(base) && isLoose(head));
}

/** The models whose cells together pass less often than before. */
export function changedModels(pairs: readonly Pair[], lost: ReadonlySet<string>): WholeModel[] {
  const models = [...groupBy(pairs, ({ name }) => modelIn(name))];
  return models.flatMap(([model, all]): WholeModel[] => {
    const own = all.filter((pair) => pair.base.verdict === 'pass' && !lost.has(pair.name) && countSameThing(pair));
    const [base, head] = [sumOf(own.map((pair) => countOf(pair.base))), sumOf(own.map((pair) => countOf(pair.head)))];
    const found = evidence(base, head);
    if (found < boundOver(models.length)) return [];
    const cells = own.filter((pair) => rateOf(countOf(pair.head)) < rateOf(countOf(pair.base))).map(({ name }) => name);
    return [{ model, base, head, evidence: found, compared: own.length, cells }];
  });
}

/**
 * The capabilities that now hold on another condition. A condition follows from single cells, so one of them that failed
 * by chance is enough to change it.
 * @param beyondLuck the cells whose own change, or that of their threshold, is more than luck
 */
export function conditionChanges(
  base: ReadonlyMap<string, ReportCapability>,
  head: ReadonlyMap<string, ReportCapability>,
  pairs: readonly Pair[],
  beyondLuck: ReadonlySet<string>,
): ConditionChange[] {
  return [...head].flatMap(([name, is]) => {
    const was = base.get(name);
    if (!was || was.verdict === 'inconclusive' || is.verdict === 'inconclusive' || was.condition === is.condition)
      return [];
    const shown = ({ verdict, condition }: ReportCapability) => ({ verdict, condition });
    const changed = pairs.filter(
      (pair) => pair.head.model === is.model && pair.head.capability === is.capability && hasChanged(pair),
    );
    // Without a changed cell, other cells were asked.
    const significant = changed.length === 0 || changed.some((pair) => beyondLuck.has(pair.name));
    return [{ model: is.model, capability: is.capability, base: shown(was), head: shown(is), significant }];
  });
}

function hasChanged({ base, head }: Pair): boolean {
  if ((base.threshold?.value ?? null) !== (head.threshold?.value ?? null)) return true;
  return rateOf(countOf(base)) !== rateOf(countOf(head));
}

/** The thresholds that a search found at another value: where a probe passes only sometimes, it ends at another one each time. */
export function thresholdChanges(pairs: readonly Pair[], lostOrGained: ReadonlySet<string>): ThresholdChange[] {
  return pairs.flatMap(({ name, base, head }) => {
    const [was, is] = [base.threshold?.value ?? null, head.threshold?.value ?? null];
    if (was === is) return [];
    const [from, to] = [Math.min(was ?? Infinity, is ?? Infinity), Math.max(was ?? Infinity, is ?? Infinity)];
    // The trials of a search at values from the lower threshold up to, but not including, the higher one.
    const between = ({ threshold }: JudgedCell): Count =>
      sumOf(
        (threshold?.curve ?? []).filter(([x]) => x >= from && x < to).map(([, passed, total]) => ({ passed, total })),
      );
    const [lower, higher] = (was ?? Infinity) < (is ?? Infinity) ? [base, head] : [head, base];
    const [passing, failing] = [between(lower), between(higher)];
    const isTotal = passing.total > 0 && passing.passed === passing.total && failing.total > 1 && failing.passed === 0;
    return [{ cell: name, base: was, head: is, significant: isTotal || lostOrGained.has(name) }];
  });
}
