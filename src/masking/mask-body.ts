import { mayBeJson, parseJson } from '../chat/parse-json.js';
import type { Json } from '../json/json.js';
import { joinedFields, maskJoinedFields } from './joined-fields.js';
import type { Masker } from './masker.js';

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
  const parts = partsOf(text);
  const documents = documentsIn(parts);
  const joined = maskJoinedFields(documents, (field) => masker.mask(field, cut));
  if (text === body && !joined) return null;
  // A number without its digits is no JSON any more.
  if (text !== body && documentsIn(partsOf(body)).length !== documents.length) return withheld;
  if (!joined) return text;
  const shown = parts.map(written).join('');
  return holdsStill(shown, masker) ? withheld : shown;
}

function holdsStill(body: string, masker: Masker): boolean {
  return masker.holds(body) || [...joinedFields(documentsIn(partsOf(body)))].some(masker.holds);
}

/** A whole body, or an event of a stream with the blank line behind it. */
interface Part {
  readonly text: string;
  /** undefined: it is no JSON. */
  readonly value: Json | undefined;
}

function partsOf(body: string): readonly Part[] {
  const whole = body.replace(/^\ufeff/, '');
  const value = valueOf(whole);
  if (value !== undefined) return [{ text: whole, value }];
  return body.split(/(?<=\r\n\r\n|\n\n|\r\r)/).map((text) => ({ text, value: valueOf(dataOf(text)) }));
}

function valueOf(text: string): Json | undefined {
  if (!mayBeJson(text)) return undefined;
  const read = parseJson(text);
  return read.ok ? read.value : undefined;
}

function documentsIn(parts: readonly Part[]): readonly Json[] {
  return parts.flatMap(({ value }) => (value === undefined ? [] : [value]));
}

const dataLines = /^data:[^\r\n]*/gm;

function dataOf(event: string): string {
  return (event.match(dataLines) ?? []).map((line) => line.slice('data:'.length)).join('\n');
}

function written({ text, value }: Part): string {
  if (value === undefined) return text;
  const json = JSON.stringify(value);
  const first = text.search(/^data:/m);
  return first < 0 ? json : text.replace(dataLines, (_, at: number) => (at === first ? `data: ${json}` : ':'));
}
