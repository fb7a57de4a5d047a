import { mayBeJson, parseJson } from '../chat/parse-json.js';
import { isObject, jsonText, type Json } from '../json/json.js';
import type { Masker } from './masker.js';
import { parsedJson, writtenJson } from '../json/json-text.js';

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
    } else if (typeof value === 'object' && value !== null) {
      editTexts(value, name, naming, edit);
    }
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
      if (known === undefined) {
        fields.set(field, [text]);
      } else {
        known.push(text);
      }
      return text;
    });
  }
  for (const [field, texts] of fields) yield [field, texts.join('')];
}

/**
 * The texts of each field of the documents, joined as a reader of a stream joins its deltas: items of lists by their
 * index or id, and whatever they are called.
 */
export function* joinedFields(documents: readonly Json[]): Generator<string> {
  for (const naming of namings) for (const [, text] of joinedBy(naming, documents)) yield text;
}

/**
 * Masks in place what the pieces of a field hold together: its first piece becomes the whole masked text. Gives whether
 * there was anything.
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

/**
 * The same of what was read from a file, maps included. The places where it was written do not count: nobody is shown
 * them.
 */
export function anyHoldsKey(read: object, masker: Masker): boolean {
  const text = writtenJson(read, undefined, (name, member: unknown) => {
    if (name === 'place') return undefined;
    if (member instanceof Map) return Object.fromEntries(member as ReadonlyMap<string, unknown>);
    return member instanceof Set ? [...(member as ReadonlySet<unknown>)] : member;
  });
  return holdsKey(parsedJson(text) as Json, masker);
}

/** Stands in the place of a body in which a key cannot be replaced for certain. */
export const withheld = '[withheld: a configured key could not be replaced in this body]';

/**
 * Masks keys in a body: in its text, and where the pieces of a field hold one together, as the deltas of a stream do.
 * @param cut the body ended too early
 * @returns null, nearly always, when there is nothing to mask
 */
export function maskBody(body: string, masker: Masker, cut: boolean): string | null {
  if (!masker.active || body === '') return null;
  const text = masker.mask(body, cut);
  const parts = bodyParts(text);
  const documents = documentsIn(parts);
  const joined = maskJoinedFields(documents, (field) => masker.mask(field, cut));
  if (text === body && !joined) return null;
  // A number without its digits is no JSON any more.
  if (text !== body && documentsIn(bodyParts(body)).length !== documents.length) return withheld;
  if (!joined) return text;
  const shown = parts.map(written).join('');
  return holdsStill(shown, masker) ? withheld : shown;
}

function holdsStill(body: string, masker: Masker): boolean {
  return masker.holds(body) || [...joinedFields(documentsIn(bodyParts(body)))].some(masker.holds);
}

/** A whole body, or an event of a stream with the blank line behind it. */
interface BodyPart {
  readonly text: string;
  /** undefined: it is no JSON. */
  readonly value: Json | undefined;
}

function bodyParts(body: string): readonly BodyPart[] {
  const whole = body.replace(/^\ufeff/, '');
  const value = jsonValueIn(whole);
  if (value !== undefined) return [{ text: whole, value }];
  return body.split(/(?<=\r\n\r\n|\n\n|\r\r)/).map((text) => ({ text, value: jsonValueIn(eventDataText(text)) }));
}

function jsonValueIn(text: string): Json | undefined {
  if (!mayBeJson(text)) return undefined;
  const read = parseJson(text);
  return read.ok ? read.value : undefined;
}

function documentsIn(parts: readonly BodyPart[]): readonly Json[] {
  return parts.flatMap(({ value }) => (value === undefined ? [] : [value]));
}

const dataLines = /^data:[^\r\n]*/gm;

function eventDataText(event: string): string {
  return (event.match(dataLines) ?? []).map((line) => line.slice('data:'.length)).join('\n');
}

function written({ text, value }: BodyPart): string {
  if (value === undefined) return text;
  const json = writtenJson(value);
  const first = text.search(/^data:/m);
  return first < 0 ? json : text.replace(dataLines, (_, at: number) => (at === first ? `data: ${json}` : ':'));
}
