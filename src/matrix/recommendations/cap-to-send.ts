import { withoutAxis } from '../../cell/cell-key.js';
import { groupBy } from '../../json/group-by.js';
import { covers } from './choice.js';
import type { Evidence } from './evidence.js';
import type { Found } from './settings-search.js';
import type { Standard } from './standards.js';

/**
 * The cap to send: the largest of the thresholds that were measured under the same settings, since a smaller one held only
 * for shorter answers. A search finds the least cap for one answer, so the next one that probes were judged with is sent
 * instead. null where any usual cap will do.
 */
export function capToSend(
  { choice, holding }: Found,
  all: readonly Evidence[],
  { isGood }: Pick<Standard, 'isGood'>,
): number | null {
  if (choice.below !== null) return Math.max(...holding.flatMap(({ cap }) => cap ?? []));
  if (choice.from === null) return null;
  const comparable = all.filter((one) => one.cap !== null && covers({ ...choice, from: null }, one));
  const series = [...groupBy(comparable, ({ cell }) => withoutAxis(cell.key, 'max_tokens')).values()];
  const least = Math.max(choice.from, ...series.flatMap((own) => thresholdOf(own, isGood) ?? []));
  const sent = holding.flatMap(({ cap, isSearched }) => (cap === null || isSearched || cap < least ? [] : [cap]));
  return sent.length === 0 ? least : Math.min(...sent);
}

/** null: nothing fails, or nothing passes above. */
function thresholdOf(own: readonly Evidence[], isGood: Standard['isGood']): number | null {
  const caps = (good: boolean): number[] => own.flatMap((one) => (isGood(one) === good ? (one.cap ?? []) : []));
  const failing = caps(false);
  const passing = caps(true).filter((cap) => cap > Math.max(...failing));
  return failing.length > 0 && passing.length > 0 ? Math.min(...passing) : null;
}
