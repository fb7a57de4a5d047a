import { splitAtModel, withoutPoint } from '../../cell/cell-key.js';
import { isAcceptable } from '../acceptable.js';
import type { Report } from '../report-format.js';
import { deviationsOf } from '../standing/deviations.js';
import type { ChangeKind } from './change.js';

/** So many patterns a command has room for. */
const mostPatterns = 12;

/** The patterns that accept these cells and no other deviation; empty: nothing can be accepted, or they are too many. */
export function acceptPatterns(kind: ChangeKind, keys: readonly string[], report: Report): readonly string[] {
  if (kind === 'gone' || kind === 'doubt' || kind === 'served' || !isAcceptable(report)) return [];
  const patterns = patternsFor(kind === 'wire' ? keys.slice(0, 1) : keys, report);
  return patterns.length > mostPatterns ? [] : patterns;
}

/** A model or a probe as a whole where nothing else of it deviates, else the cells one by one. */
function patternsFor(keys: readonly string[], report: Report): readonly string[] {
  const wanted = new Set(keys);
  const others = deviationsOf(report).flatMap((one) =>
    'cell' in one && !wanted.has(one.cell.key) ? one.cell.key : [],
  );
  const isFree = (belongs: (key: string) => boolean): boolean => !others.some(belongs);
  const patterns = keys.map((key) => {
    const { head, model } = splitAtModel(key);
    const ofModel = `@${model ?? ''}`;
    if (isFree((other) => other.endsWith(ofModel))) return `*${ofModel}`;
    const probe = withoutPoint(head);
    const isOfProbe = (other: string) => other.endsWith(ofModel) && withoutPoint(splitAtModel(other).head) === probe;
    return isFree(isOfProbe) ? `${probe}${ofModel}` : key;
  });
  return [...new Set(patterns)];
}
