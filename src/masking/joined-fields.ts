import { isObject, jsonText, type Json } from '../json/json.js';
import type { Masker } from './masker.js';

/** How an item of a list is named: by what tells it from others, or not at all. */
type Naming = (item: Json) => string;

const namings: readonly Naming[] = [
  (item) => {
    const label = isObject(item) ? (item['index'] ?? item['id']) : null;
    return typeof label === 'number' || typeof label === 'string' ? `#${label}` : '';
  },
  () => '',
];

/** Called with each text and the field that it is a piece of; gives what to put in its place. */
type Edit = (text: string, field: string) => string;

/** Visits the texts of a list or an object in place, in order. */
function editTexts(within: Json, field: string, naming: Naming, edit: Edit): void {
  const member = (value: Json, name: string, put: (shown: string) => void): void => {
    if (typeof value === 'string') {
      const shown = edit(value, name);
      if (shown !== value) put(shown);
    } else if (typeof value === 'object' && value !== null) editTexts(value, name, naming, edit);
  };
  if (Array.isArray(within)) {
    const items = within as Json[];
    for (const [at, item] of items.entries()) member(item, field + naming(item), (shown) => (items[at] = shown));
  } else if (isObject(within)) {
    const members = within as Record<string, Json>;
    for (const name of Object.keys(members)) {
      member(members[name] ?? null, `${field}/${name}`, (shown) => (members[name] = shown));
    }
  }
}

/** The texts of each field, joined. */
function* joinedBy(naming: Naming, documents: readonly Json[]): Generator<readonly [field: string, text: string]> {
  const fields = new Map<string, string[]>();
  for (const document of documents) {
    editTexts(document, '', naming, (text, field) => {
      const known = fields.get(field);
      if (known === undefined) fields.set(field, [text]);
      else known.push(text);
      return text;
    });
  }
  for (const [field, texts] of fields) yield [field, texts.join('')];
}

/**
 * The texts of each field of the documents, joined as a reader of a stream joins its deltas: items of lists by their index or
 * id, and whatever they are called.
 */
export function* joinedFields(documents: readonly Json[]): Generator<string> {
  for (const naming of namings) for (const [, text] of joinedBy(naming, documents)) yield text;
}

/**
 * Masks in place what the pieces of a field hold together: its first piece becomes the whole masked text. Gives whether there
 * was anything.
 */
export function maskJoinedFields(documents: readonly Json[], mask: (text: string) => string): boolean {
  let any = false;
  for (const naming of namings) {
    const shown = new Map<string, string>();
    for (const [field, text] of joinedBy(naming, documents)) {
      const without = mask(text);
      if (without !== text) shown.set(field, without);
    }
    if (shown.size === 0) continue;
    any = true;
    for (const document of documents) {
      editTexts(document, '', naming, (text, field) => {
        const whole = shown.get(field);
        if (whole === undefined) return text;
        shown.set(field, '');
        return whole;
      });
    }
  }
  return any;
}

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
