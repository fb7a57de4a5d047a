import { boundOver, evidence, swapped } from '../../stats/evidence.js';
import { type Count, sumOf } from '../../stats/count.js';
import { groupBy } from '../../json/group-by.js';
import {
  comparedCounts,
  countOf,
  countSameThing,
  type Direction,
  type JudgedCell,
  modelOf,
  type Pair,
  rateOf,
} from './pair.js';

/** What makes a change more than chance: everything passed and nothing does, or the evidence of all trials. */
export type Because = 'total' | 'rate';

/** A model that passes less often as a whole, beside the cells that were lost themselves. */
export interface WholeModel {
  readonly model: string;
  /** The first trials of its cells that passed in the base. */
  readonly base: Count;
  readonly head: Count;
  /** As log10. */
  readonly evidence: number;
  readonly compared: number;
  /** Those that pass less often. */
  readonly cells: readonly string[];
}

/** A reliable cell may fail once, unless the service refuses its request. */
const fewestFailures = ({ class: failure }: JudgedCell): number => (failure === 'http_error' ? 1 : 2);

/** The cells that changed, by the name of the pair: the base is known, the head is the doubt. */
export function changedCells(pairs: readonly Pair[], direction: Direction): ReadonlyMap<string, Because> {
  const bound = boundOver(pairs.length);
  return new Map(
    pairs.flatMap((pair): (readonly [string, Because])[] => {
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

/** The models whose cells together pass less often than before. */
export function changedModels(pairs: readonly Pair[], lost: ReadonlySet<string>): WholeModel[] {
  const models = [...groupBy(pairs, modelOf)];
  return models.flatMap(([model, all]): WholeModel[] => {
    const own = all.filter((pair) => pair.base.verdict === 'pass' && !lost.has(pair.name) && countSameThing(pair));
    const counts = own.map((pair) => ({ pair, counts: comparedCounts(pair.base, pair.head) }));
    const [known, doubt] = [0, 1].map((side) => sumOf(counts.map((one) => one.counts[side] as Count))) as [
      Count,
      Count,
    ];
    const found = evidence(known, doubt);
    if (found < boundOver(models.length)) return [];
    const less = counts.filter(({ counts: [was, is] }) => rateOf(is) < rateOf(was));
    return [
      {
        ...{ model, base: known, head: doubt, evidence: found, compared: own.length },
        cells: less.map(({ pair }) => pair.name),
      },
    ];
  });
}
