import { isObject, type Json, type JsonObject } from '../../json/json.js';

const mostTries = 64;

/** The JSON objects that stand in a text, in order; JSON Schemas are left out, because they describe and do not state. */
export function jsonObjectsIn(text: string): readonly JsonObject[] {
  const found: JsonObject[] = [];
  let from = text.indexOf('{');
  for (let tries = 0; from !== -1 && tries < mostTries; tries += 1) {
    const end = closingBrace(text, from);
    const value = end === -1 ? undefined : parsed(text.slice(from, end + 1));
    if (isObject(value) && !looksLikeSchema(value)) found.push(value);
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
export function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function looksLikeSchema(value: JsonObject): boolean {
  return '$schema' in value || isObject(value['properties']) || '$defs' in value;
}
