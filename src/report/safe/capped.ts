import { excerpt } from '../../chat/excerpt.js';

/** Where a reader finds all of a text. */
export const everything = 'chatspec evidence shows all';

/** No field that others wrote takes more than this many characters of a report; what people write is shorter. */
const defaultTextCap = 1000;

/**
 * The beginning of a text, and where all of it is; a text that was cut before stays as it is. Redact first: half an
 * address is still an address.
 * @param most how many characters are kept
 */
export function capped(text: string, most = defaultTextCap, where = everything): string {
  if (text.length <= most) return text;
  const end = most - (/[\ud800-\udbff]/.test(text.charAt(most - 1)) ? 1 : 0);
  return `${text.slice(0, end)}…${omissionNote(where)}`;
}

/** Stands behind the beginning of a text. */
const omissionNote = (where = everything): string => ` (${where})`;

/** Plain data in which every text is {@link capped}; names of members stay. */
export function cappedAll<T>(value: T, where = everything): T {
  return eachText(value, (text) => capped(text, defaultTextCap, where));
}

/** Plain data in which every text is replaced; names of members stay. What holds no other text is not copied. */
export function eachText<T>(value: T, replace: (text: string) => string): T {
  return mapped(value, replace) as T;
}

function mapped(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value as readonly unknown[];
    let copy: unknown[] | null = null;
    // Pages hold millions of values, and an iterator makes an array for each.
    for (let index = 0; index < items.length; index++) {
      const item = mapped(items[index], replace);
      if (item !== items[index]) (copy ??= [...items])[index] = item;
    }
    return copy ?? value;
  }
  const members = value as Readonly<Record<string, unknown>>;
  let changed: [string, unknown][] | null = null;
  for (const name of Object.keys(members)) {
    const member = mapped(members[name], replace);
    if (member !== members[name]) (changed ??= []).push([name, member]);
  }
  return changed === null ? value : withMembers(members, changed);
}

/** A copy with the members in their order; `__proto__` stays an ordinary member. */
function withMembers(
  members: Readonly<Record<string, unknown>>,
  changed: readonly (readonly [string, unknown])[],
): object {
  return Object.fromEntries([...Object.entries(members), ...changed]);
}

/**
 * Characters that are kept of a text of a service. Reports hold such texts by the hundred, and the journal holds all of
 * each.
 */
export const longestReportText = 4000;

/** A text of a service as the report keeps it. Cut at the end of a word, since it is redacted later. */
export function reportExcerpt<Text extends string | null>(text: Text): Text | string {
  if (text === null || text.length <= longestReportText) return text;
  const beginning = excerpt(text, longestReportText);
  // A part of a text would keep the whole of it in memory, so it is copied.
  return Buffer.from(`${beginning}${omissionNote()}`).toString();
}
