import { ChatspecError } from '../../errors/chatspec-error.js';
import { digest } from '../../json/digest.js';
import { isObject, type Json } from '../../json/json.js';
import { at } from '../../json/pointer.js';
import { readSchema } from '../../judge/schema/read-schema.js';

/** Templates made of a schema something that is none: a fault of the suite's values, never of the model. */
export class RequestSchemaError extends ChatspecError {
  readonly kind = 'template';
}

/**
 * Throws where a schema of the request is no JSON Schema and templates made it so. A schema that is written that way was
 * reported when the suite was read, or the probe sends it on purpose.
 * @param written the body before its templates were filled
 */
export function requireSchemas(written: Json, filled: Json): void {
  for (const path of schemaPaths(filled)) {
    const schema = at(filled, path);
    const before = at(written, path);
    if (schema === undefined || schema === before) continue;
    if (before !== undefined && digest(before) === digest(schema)) continue;
    const problem = problemOf(schema);
    if (problem !== null)
      throw new RequestSchemaError(`/${path.join('/')} of the request is not a JSON Schema: ${problem}`);
  }
}

function schemaPaths(body: Json): readonly (readonly string[])[] {
  const tools = isObject(body) && Array.isArray(body['tools']) ? (body['tools'] as readonly Json[]) : [];
  return [
    ['response_format', 'json_schema', 'schema'],
    ...tools.map((_, index) => ['tools', String(index), 'function', 'parameters']),
  ];
}

/** Only what breaks the dialect itself; what chatspec cannot check (a remote reference) may still be a schema. */
function problemOf(schema: Json): string | null {
  if (typeof schema !== 'boolean' && !isObject(schema)) return `it is ${JSON.stringify(schema)}`;
  const read = readSchema(schema);
  if (read.kind === 'read' || read.invalid === null) return null;
  const { at: steps, message, found } = read.invalid;
  return `${steps.length === 0 ? 'it' : `/${steps.join('/')}`} ${message} (found ${JSON.stringify(found)})`;
}
