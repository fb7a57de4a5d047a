import { isObject, type Json, type JsonObject } from '../../json/json.js';
import type { Message } from '../http/request.js';

const mostTries = 64;

/** The JSON objects in a text, in order; without JSON Schemas, which describe values but state none. */
export function jsonObjectsIn(text: string): readonly JsonObject[] {
  return objectsIn(text).filter((value) => !isSchema(value));
}

/** The last JSON Schema in a text, as examples come before it; null where there is none. */
export function schemaIn(text: string): JsonObject | null {
  return objectsIn(text).findLast(isSchema) ?? null;
}

/** The text without its JSON Schemas, whose words are no values. */
export function withoutSchemas(text: string): string {
  return placedObjectsIn(text)
    .filter(({ value }) => isSchema(value))
    .reduceRight((rest, { from, to }) => rest.slice(0, from) + rest.slice(to), text);
}

function objectsIn(text: string): readonly JsonObject[] {
  return placedObjectsIn(text).map(({ value }) => value);
}

interface PlacedObject {
  readonly value: JsonObject;
  readonly from: number;
  readonly to: number;
}

function placedObjectsIn(text: string): readonly PlacedObject[] {
  const found: PlacedObject[] = [];
  let from = text.indexOf('{');
  for (let tries = 0; from !== -1 && tries < mostTries; tries += 1) {
    const end = closingBrace(text, from);
    const value = end === -1 ? undefined : parseJson(text.slice(from, end + 1));
    if (isObject(value)) found.push({ value, from, to: end + 1 });
    from = text.indexOf('{', value === undefined ? from + 1 : end + 1);
  }
  return found;
}

/** Index of the brace that closes the one at `from`; -1 when none does. */
function closingBrace(text: string, from: number): number {
  let depth = 0;
  let inString = false;
  for (let index = from; index < text.length; index += 1) {
    const sign = text[index];
    if (inString) {
      if (sign === '\\') index += 1;
      else if (sign === '"') inString = false;
    } else if (sign === '"') inString = true;
    else if (sign === '{') depth += 1;
    else if (sign === '}' && (depth -= 1) === 0) return index;
  }
  return -1;
}

/** The text as JSON, or undefined. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function isSchema(value: JsonObject): boolean {
  if ('$schema' in value || isObject(value['properties']) || isObject(value['$defs'])) return true;
  return typeof value['type'] === 'string' && types.has(value['type']) && keywords.some((keyword) => keyword in value);
}

const types: ReadonlySet<string> = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean']);
const keywords = ['items', 'required', 'enum', 'additionalProperties', 'description', 'definitions'];

const asksToRepeat =
  /\b(?:repeat|copy|echo|reproduce|return|output|write|give|answer|reply)\b[^]{0,200}?\b(?:character (?:for|by) character|verbatim|word for word|unchanged|exactly as|without (?:any )?changes?)|\b(?:repeat|echo|reproduce)\b[^]{0,60}?\b(?:exactly|text|document|json|following)\b/i;

/** Patterns around the text to repeat, the clearest first. */
const marks: readonly RegExp[] = [
  /<(document|text|json|echo)>\r?\n?([^]*?)\r?\n?<\/\1>/i,
  /()```[a-z]*\r?\n([^]*?)\r?\n?```/i,
  /()<<<+\r?\n?([^]*?)\r?\n?>>>+/,
  /()"""\r?\n?([^]*?)\r?\n?"""/,
  /()-{3,} ?BEGIN[^\n]*\r?\n([^]*?)\r?\n-{3,} ?END/i,
  /()(?:^|\n)(?:-{3,}|={3,})\r?\n([^]*?)\r?\n(?:-{3,}|={3,})/,
  /():\s*\r?\n\s*([^]+?)\s*$/,
  /():\s+((?:[{["]|-?\d|true|false|null)[^]*?)\s*$/,
];

/** The text that the conversation asks to repeat, character for character; null when it asks for something else. */
export function textToRepeat(messages: readonly Message[]): string | null {
  for (const { role, text } of messages.toReversed()) {
    if (role !== 'user' || !asksToRepeat.test(text)) continue;
    for (const mark of marks) {
      const marked = mark.exec(text)?.[2];
      if (marked !== undefined && marked !== '') return marked;
    }
  }
  return null;
}
