import { eachText } from './each-text.js';

/** Where a reader finds all of a text. */
export const everything = 'chatspec evidence shows all';

/** No field that others wrote takes more than this many characters of a report; what people write is shorter. */
const mostShown = 1000;

/**
 * The beginning of a text, and how much is left out. Redact first: half an address is still an address.
 * @param most how many characters are kept
 */
export function capped(text: string, most = mostShown, where = everything): string {
  if (text.length <= most) return text;
  // A text that was cut before says how much is missing.
  const [suffix = '', missing = '0'] = /… \(([\d,]{1,20}) characters more; [^()]{1,60}\)$/.exec(text.slice(-100)) ?? [];
  const length = text.length - suffix.length;
  const end = Math.min(length, most) - (/[\ud800-\udbff]/.test(text.charAt(most - 1)) ? 1 : 0);
  return `${text.slice(0, end)}…${leftOut(length - end + Number(missing.replaceAll(',', '')), where)}`;
}

/** Stands behind the beginning of a text. */
export function leftOut(characters: number, where = everything): string {
  return ` (${characters.toLocaleString('en')} characters more; ${where})`;
}

/** Plain data in which every text is {@link capped}; names of members stay. */
export function cappedAll<T>(value: T, where = everything): T {
  return eachText(value, (text) => capped(text, mostShown, where));
}
