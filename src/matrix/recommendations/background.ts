import { groupBy } from '../../json/group-by.js';
import type { Count } from '../../stats/count.js';
import { trialsIn, type Evidence } from './evidence.js';
import { isUnreliable } from './standards.js';

/** Fewer kinds of request that fail at times may each have a reason of their own. */
const severalKinds = 2;

/**
 * How often other kinds of request pass, where several of them fail at times: then the model may fail so whatever it is
 * asked, and a kind that was asked seldom may only have been lucky. null where nothing speaks for that. What always fails
 * has a reason of its own, and so have values that are hard to tell and a search for the least cap.
 */
export function backgroundFor(own: readonly Evidence[], ofModel: readonly Evidence[]): Count | null {
  const known = new Set(own.map(({ cell }) => cell.key));
  const others = ofModel.filter(
    ({ shape, trials, isSearched, cell }) =>
      shape !== null && !known.has(cell.key) && trials.passed > 0 && !isSearched && cell.class !== 'rule_violation',
  );
  const kinds = [...groupBy(others, ({ shape }) => shape).values()];
  const wavering = kinds.filter((kind) => isUnreliable(trialsIn(kind)));
  if (wavering.length < severalKinds) return null;
  const tally = trialsIn(others);
  return isUnreliable(tally) ? tally : null;
}
