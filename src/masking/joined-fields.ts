import { mayBeJson, parseJson } from '../chat/parse-json.js';
import { isObject, jsonText, type Json, parsedJson, writtenJson } from '../json/json.js';
import type { Masker } from './masker.js';

/** The name of an item of a list: what tells it from others; null: it has none. */
type Naming = (item: Json) => string | null;

const namings: readonly Naming[] = [
  (item) => {
    const label = isObject(item) ? (item['index'] ?? item['id']) : null;
    return typeof label === 'number' || typeof label === 'string' ? `#${label}` : null;
  },
  () => null,
];

/** A field of documents, as a reader of a stream knows it. */
interface Field {
  /** Of all its pieces, joined. */
  text: string;
  pieces: number;
  readonly members: Map<string, Field>;
}

const emptyField = (): Field => ({ text: '', pieces: 0, members: new Map() });

function memberField({ members }: Field, name: string): Field {
  const known = members.get(name);
  if (known !== undefined) return known;
  const field = emptyField();
  members.set(name, field);
  return field;
}

/** Called with each text and the field that it is a piece of; gives what to put in its place. */
type Edit = (text: string, field: Field) => string;

/** Visits the texts of a list or an object in place, in order. */
function editTexts(within: Json, field: Field, naming: Naming, edit: Edit): void {
  if (Array.isArray(within)) {
    const items = within as Json[];
    for (const [at, item] of items.entries()) {
      const name = naming(item);
      editMember(items, at, name === null ? field : memberField(field, name));
    }
  } else if (isObject(within)) {
    const members = within as Record<string, Json>;
    for (const name of Object.keys(members)) editMember(members, name, memberField(field, name));
  }

  function editMember<Name extends string | number>(of: Record<Name, Json>, name: Name, itsField: Field): void {
    const value = of[name];
    if (typeof value === 'string') {
      const shown = edit(value, itsField);
      if (shown !== value) of[name] = shown;
    } else if (typeof value === 'object' && value !== null) {
      editTexts(value, itsField, naming, edit);
    }
  }
}

/** The fields of documents under the one that is given back, which holds them all. */
function readFields(documents: readonly Json[], naming: Naming): Field {
  const root = emptyField();
  for (const document of documents) {
    editTexts(document, root, naming, (text, field) => {
      field.text += text;
      field.pieces += 1;
      return text;
    });
  }
  return root;
}

/** Whether no field of a document can have two pieces: each list in it has one item at most. */
function hasSingleItems(document: Json): boolean {
  if (typeof document !== 'object' || document === null) return true;
  if (Array.isArray(document) && document.length > 1) return false;
  return Object.values(document).every(hasSingleItems);
}

/** Every field of at least so many pieces. */
function* fieldsIn(field: Field, leastPieces: number): Generator<Field> {
  if (field.pieces >= leastPieces) yield field;
  for (const member of field.members.values()) yield* fieldsIn(member, leastPieces);
}

/**
 * The least pieces of a field that can hold a key which is not found in the text as it is sent: a whole piece
 * stands there, too, unless escapes hide it.
 */
const leastPiecesFor = (text: string): number => (/\\u|\\{9}/.test(text) ? 1 : 2);

/**
 * The texts of each field of the documents, joined as a reader of a stream joins its deltas: items of lists by their
 * index or id, and whatever they are called.
 */
function* joinedTexts(documents: readonly Json[], leastPieces: number): Generator<string> {
  for (const naming of namings) {
    for (const { text } of fieldsIn(readFields(documents, naming), leastPieces)) yield text;
  }
}

/**
 * Masks in place what the pieces of a field hold together: its first piece becomes the whole masked text. Gives whether
 * there was anything.
 */
function maskJoinedFields(documents: readonly Json[], leastPieces: number, mask: (text: string) => string): boolean {
  const [first = null] = documents;
  if (leastPieces > 1 && documents.length < 2 && hasSingleItems(first)) return false;
  let any = false;
  for (const naming of namings) {
    const root = readFields(documents, naming);
    const shown = new Map<Field, string>();
    for (const field of fieldsIn(root, leastPieces)) {
      const without = mask(field.text);
      if (without !== field.text) shown.set(field, without);
    }
    if (shown.size === 0) continue;
    any = true;
    for (const document of documents) {
      editTexts(document, root, naming, (text, field) => {
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
  const text = jsonText(data);
  return masker.holds(text) || holdsInPieces([data], text, masker);
}

function holdsInPieces(documents: readonly Json[], text: string, masker: Masker): boolean {
  for (const joined of joinedTexts(documents, leastPiecesFor(text))) if (masker.holds(joined)) return true;
  return false;
}

/**
 * Whether data that was read from a file, maps included, holds a key. The places where it was written do not count:
 * nobody is shown them.
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
  // A cut body may end in the beginning of a key, in one piece.
  const leastPieces = cut || text !== body ? 1 : leastPiecesFor(text);
  const joined = maskJoinedFields(documents, leastPieces, (field) => masker.mask(field, cut));
  if (text === body && !joined) return null;
  // A number without its digits is no JSON any more.
  if (text !== body && documentsIn(bodyParts(body)).length !== documents.length) return withheld;
  if (!joined) return text;
  const shown = parts.map(written).join('');
  const holdsStill = masker.holds(shown) || holdsInPieces(documentsIn(bodyParts(shown)), shown, masker);
  return holdsStill ? withheld : shown;
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
