import { isObject, jsonOrUndefined, type JsonObject } from '../../json/json.js';
import type { ChatMessage } from '../http/request.js';

const mostParseTries = 64;

/** The JSON objects in a text, in order; without JSON Schemas, which describe values but state none. */
export function jsonObjectsIn(text: string): readonly JsonObject[] {
  return parsedObjects(text).filter((value) => !isSchema(value));
}

/** The last JSON Schema in a text, as examples come before it; null where there is none. */
export function schemaIn(text: string): JsonObject | null {
  return parsedObjects(text).findLast(isSchema) ?? null;
}

function parsedObjects(text: string): readonly JsonObject[] {
  const found: JsonObject[] = [];
  let from = text.indexOf('{');
  for (let tries = 0; from !== -1 && tries < mostParseTries; tries += 1) {
    const end = closingBrace(text, from);
    const value = end === -1 ? undefined : jsonOrUndefined(text.slice(from, end + 1));
    if (isObject(value)) found.push(value);
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
      if (sign === '\\') {
        index += 1;
      } else if (sign === '"') {
        inString = false;
      }
    } else if (sign === '"') {
      inString = true;
    } else if (sign === '{') {
      depth += 1;
    } else if (sign === '}' && (depth -= 1) === 0) {
      return index;
    }
  }
  return -1;
}

function isSchema(value: JsonObject): boolean {
  if ('$schema' in value || isObject(value['properties']) || isObject(value['$defs'])) return true;
  return (
    typeof value['type'] === 'string' &&
    schemaTypeNames.has(value['type']) &&
    schemaMarkers.some((keyword) => keyword in value)
  );
}

const schemaTypeNames: ReadonlySet<string> = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean']);
const schemaMarkers = ['items', 'required', 'enum', 'additionalProperties', 'description', 'definitions'];

/** The document between the marks of the latest turn that asks to repeat one; null where none does. */
export function textToRepeat(messages: readonly ChatMessage[]): string | null {
  for (const { role, text } of messages.toReversed()) {
    const marked = role === 'user' ? /<document>\r?\n?([^]*?)\r?\n?<\/document>/.exec(text)?.[1] : undefined;
    if (marked !== undefined && marked !== '') return marked;
  }
  return null;
}
