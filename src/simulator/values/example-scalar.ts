import type { Json, JsonObject } from '../../json/json.js';
import { numberAt } from './resolve-ref.js';

const formats: Readonly<Record<string, string>> = {
  date: '2026-05-01',
  'date-time': '2026-05-01T12:00:00Z',
  time: '12:00:00Z',
  duration: 'P1D',
  email: 'someone@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  'uri-reference': '/a',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  'json-pointer': '/a',
  regex: '.*',
};

/** Returns a text that matches a pattern, or null when it finds none. */
export type PatternText = (pattern: string, schema: JsonObject) => string | null;

/** A string that conforms to the pattern, or else to the length and, if the length permits, to the format. */
export function exampleString(schema: JsonObject, patternText: PatternText): string {
  const pattern = schema['pattern'];
  if (typeof pattern === 'string') {
    const text = patternText(pattern, schema);
    if (text !== null) return text;
  }
  const format = schema['format'];
  const base = typeof format === 'string' ? (formats[format] ?? 'sample') : 'sample';
  return withinLength(base, numberAt(schema, 'minLength') ?? 0, numberAt(schema, 'maxLength') ?? Infinity);
}

/** Pads or cuts a text to a length in code points. */
export function withinLength(text: string, least: number, most: number): string {
  const codePoints = Array.from(text);
  if (codePoints.length > most) return codePoints.slice(0, most).join('');
  return codePoints.length < least ? text + 'x'.repeat(least - codePoints.length) : text;
}

/** The number nearest to `wish` that conforms to bounds, step and integrality, if there is one. */
export function exampleNumber(schema: JsonObject, integer: boolean, wish = 1): number {
  const step = numberAt(schema, 'multipleOf') ?? (integer ? 1 : null);
  const nudge = step ?? 0.5;
  const above = numberAt(schema, 'exclusiveMinimum');
  const below = numberAt(schema, 'exclusiveMaximum');
  const least = Math.max(numberAt(schema, 'minimum') ?? -Infinity, above === undefined ? -Infinity : above + nudge);
  const most = Math.min(numberAt(schema, 'maximum') ?? Infinity, below === undefined ? Infinity : below - nudge);
  if (step === null && least > most && above !== undefined) return (above + (below ?? most)) / 2;
  const nearest = Math.min(Math.max(wish, least), most);
  if (step === null) return nearest;
  const up = Math.ceil(nearest / step - 1e-9) * step;
  const down = Math.floor(nearest / step + 1e-9) * step;
  const chosen = up <= most ? up : down;
  return integer ? Math.round(chosen) : Number(chosen.toPrecision(12));
}

/** The simplest value of a type. */
export function plainValue(type: string | undefined): Json {
  switch (type) {
    case 'string':
      return 'sample';
    case 'number':
    case 'integer':
      return 1;
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return null;
  }
}
