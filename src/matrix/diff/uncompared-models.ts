import { isJudged } from '../../cell/verdict.js';
import { type LostModel, type ModelSide, wasAsked } from './lost-models.js';
import { modelOf, type Pair } from './pair.js';

/** A model of which no cell was compared, although nothing says that it failed. */
export interface UncomparedModel {
  /** The name that both sides share. */
  readonly model: string;
  /** Which side asked it; `both`: but no cell was judged on both. */
  readonly asked: 'base' | 'head' | 'both';
}

type Models = ReadonlyMap<string, ModelSide>;

/** @param lost models of which the head could judge nothing, which are told apart */
export function uncomparedModelsOf(
  base: Models,
  head: Models,
  { pairs, lost }: { readonly pairs: readonly Pair[]; readonly lost: readonly LostModel[] },
): UncomparedModel[] {
  const known = new Set([...pairs.map(modelOf), ...lost.map(({ model }) => model)]);
  return [...new Set([...base.keys(), ...head.keys()])].flatMap((model): UncomparedModel[] => {
    if (known.has(model)) return [];
    const [before, now] = [base.get(model), head.get(model)];
    const [was, is] = [wasAsked(before), wasAsked(now)];
    if (was && is) return hasJudged(before) && hasJudged(now) ? [{ model, asked: 'both' }] : [];
    return was || is ? [{ model, asked: was ? 'base' : 'head' }] : [];
  });
}

const hasJudged = (side: ModelSide | undefined): boolean => [...(side?.cells.values() ?? [])].some(isJudged);
