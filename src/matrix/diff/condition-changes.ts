import type { ReportCapability } from '../report-format.js';
import { countOf, type Pair, rateOf } from './pair.js';

export interface ConditionChange {
  readonly model: string;
  readonly capability: string;
  readonly base: Pick<ReportCapability, 'verdict' | 'condition'>;
  readonly head: Pick<ReportCapability, 'verdict' | 'condition'>;
  /** False if every change of its cells may be luck. */
  readonly significant: boolean;
}

type Capabilities = ReadonlyMap<string, ReportCapability>;

/**
 * The capabilities that now hold on another condition. A condition follows from single cells, so one of them that failed
 * by chance is enough to change it.
 * @param beyondLuck the cells whose own change, or that of their threshold, is more than luck
 */
export function conditionChangesOf(
  base: Capabilities,
  head: Capabilities,
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
