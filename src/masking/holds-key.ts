import type { Json } from '../json/json.js';
import { jsonText } from '../json/json-text.js';
import type { Masker } from './masker.js';
import { threadsOf } from './threads.js';

/**
 * Whether data holds a whole key: in its text, or cut over texts that a reader puts together, such as the parts of a
 * message.
 */
export function holdsKey(data: Json, masker: Masker): boolean {
  const text = jsonText(data);
  if (masker.holds(text)) return true;
  if (!masker.mayHold(text)) return false;
  return threadsOf([data]).all.some(({ texts }) => texts.length > 1 && masker.holds(texts.join('')));
}

/** The same of what was read from a file, maps included. The places where it was written do not count: nobody is shown them. */
export function anyHoldsKey(read: object, masker: Masker): boolean {
  const text = JSON.stringify(read, (name, member: unknown) => {
    if (name === 'place') return undefined;
    if (member instanceof Map) return Object.fromEntries(member as ReadonlyMap<string, unknown>);
    return member instanceof Set ? [...(member as ReadonlySet<unknown>)] : member;
  });
  return holdsKey(JSON.parse(text) as Json, masker);
}
