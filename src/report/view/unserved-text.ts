import type { Report } from '../../matrix/report-format.js';

/** How many capabilities a sentence names. */
const mostNamed = 6;

/** Why nothing is recommended for capabilities of suites of one's own; null where there are none. */
export function unservedText({ unserved = [] }: Pick<Report, 'unserved'>): string | null {
  if (unserved.length === 0) return null;
  const more = unserved.length - mostNamed;
  const names = `${unserved.slice(0, mostNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return `Nothing is recommended for ${names}: no suite says which need ${unserved.length === 1 ? 'it serves' : 'they serve'}. A suite does so under "forms".`;
}
