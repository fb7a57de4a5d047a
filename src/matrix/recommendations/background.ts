import { groupBy } from '../../json/group-by.js';
import { atLeast } from '../../stats/operating-characteristic.js';
import type { Evidence } from './evidence.js';
import { reliableRate, sumOf, type Tally } from './standards.js';

/** Fewer kinds of request that fail at times may each have a reason of their own. */
const severalKinds = 2;

const unlikely = 0.05;

/**
 * How often other kinds of request pass, where several of them fail at times: then the model may fail so whatever it is
 * asked, and a kind that was asked seldom may only have been lucky. null where nothing speaks for that. What always fails
 * has a reason of its own, and so have values that are hard to tell and a search for the least cap.
 */
export function backgroundFor(own: readonly Evidence[], ofModel: readonly Evidence[]): Tally | null {
  const known = new Set(own.map(({ cell }) => cell.key));
  const others = ofModel.filter(
    ({ shape, trials, isSearched, cell }) =>
      shape !== null && !known.has(cell.key) && trials.passed > 0 && !isSearched && cell.class !== 'rule_violation',
  );
  const kinds = [...groupBy(others, ({ shape }) => shape).values()];
  const wavering = kinds.filter((kind) => isUnreliable(sumOf(kind)));
  if (wavering.length < severalKinds) return null;
  const tally = sumOf(others);
  return isUnreliable(tally) ? tally : null;
}

function isUnreliable({ passed, total }: Tally): boolean {
  return passed < total && atLeast(total - passed, total, 1 - reliableRate) < unlikely;
}
