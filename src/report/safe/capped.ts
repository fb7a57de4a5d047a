/** Where a reader finds all of a text. */
const everything = 'chatspec evidence shows all';

/** No field that others wrote takes more than this many characters of a report; what people write is shorter. */
const mostShown = 1000;

/**
 * The beginning of a text, and how much is left out. Redact first: half an address is still an address.
 * @param most how many characters are kept
 */
export function capped(text: string, most = mostShown, where = everything): string {
  const over = text.length - most;
  if (over <= 0) return text;
  const end = most - (/[\ud800-\udbff]/.test(text.charAt(most - 1)) ? 1 : 0);
  return `${text.slice(0, end)}… (${(text.length - end).toLocaleString('en')} characters more; ${where})`;
}

/** A copy of plain data in which every text is {@link capped}; names of members stay. */
export function cappedAll<T>(value: T, where = everything): T {
  return mapped(value, where) as T;
}

function mapped(value: unknown, where: string): unknown {
  if (typeof value === 'string') return capped(value, mostShown, where);
  if (Array.isArray(value)) return value.map((item) => mapped(item, where));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapped(member, where)]));
}
