import { isObject, type Json } from '../../json/json.js';

/**
 * Stands between two braces that begin no template: a code point that Unicode keeps for programs, so that no file means
 * anything by it.
 */
const divider = '\ufdd0';

/** The text marked as data: `{{` in it begins no template, until {@link plainText} is asked. */
export const dataText = (text: string): string =>
  text.includes('{{') ? text.replaceAll(/\{(?=\{)/g, `{${divider}`) : text;

/** The value with its texts as they are sent, compared and shown. Nothing without such a mark is copied. */
export const plainTexts = (value: Json): Json => eachText(value, plainText);

export const plainText = (text: string): string =>
  text.includes(divider) ? text.replaceAll(`{${divider}`, '{') : text;

function eachText(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    const changed = items.map((item) => eachText(item, change));
    return changed.every((item, index) => item === items[index]) ? items : changed;
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, eachText(member, change)] as const);
  return members.every(([name, member]) => member === value[name]) ? value : Object.fromEntries(members);
}
