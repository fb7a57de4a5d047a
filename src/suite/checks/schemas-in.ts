import { isObject, type Json } from '../../json/json.js';
import { at } from '../../json/pointer.js';

export interface SchemaPlace {
  readonly schema: Json;
  readonly steps: readonly (string | number)[];
}

/** The JSON Schemas of a request body: of `response_format` and of each tool's parameters. */
export function* schemasIn(body: Json): Generator<SchemaPlace> {
  const steps = ['response_format', 'json_schema', 'schema'];
  const schema = at(body, steps);
  if (schema !== undefined) yield { schema, steps };
  const tools = isObject(body) ? body['tools'] : undefined;
  if (!Array.isArray(tools)) return;
  for (const [index, tool] of (tools as readonly Json[]).entries()) {
    const parameters = at(tool, ['function', 'parameters']);
    if (parameters !== undefined) yield { schema: parameters, steps: ['tools', index, 'function', 'parameters'] };
  }
}
