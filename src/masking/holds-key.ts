import { jsonText, type Json } from '../json/json.js';
import { joinedFields } from './joined-fields.js';
import type { Masker } from './masker.js';

/** Whether data holds a key: in its text, or cut over the parts of a message. */
export function holdsKey(data: Json, masker: Masker): boolean {
  if (!masker.active) return false;
  return masker.holds(jsonText(data)) || [...joinedFields([data])].some(masker.holds);
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
