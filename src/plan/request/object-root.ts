import { isObject, type Json } from '../../json/json.js';
import type { EnforceSpec } from '../../suite/probe.js';

/** The member that carries a document whose schema is not one of an object. */
const member = 'value';

/**
 * The spec in a form that every service can be sent: the root of a schema that constrains the output, and of a tool's
 * parameters, has to be an object, so anything else (documents included) travels as the one member of an object.
 */
export function withObjectRoot(spec: EnforceSpec): EnforceSpec {
  if (isObject(spec.schema) && spec.schema['type'] === 'object') return spec;
  const moved = isObject(spec.schema) && spec.schema['$id'] !== undefined ? spec.schema : withMovedRefs(spec.schema);
  return {
    ...spec,
    schema: { type: 'object', properties: { [member]: moved }, required: [member], additionalProperties: false },
    valid: { [member]: spec.valid },
    invalid: { [member]: spec.invalid },
  };
}

/** `#/...` counts from the root, which is two steps further up now. */
function withMovedRefs(schema: Json): Json {
  if (Array.isArray(schema)) return (schema as readonly Json[]).map(withMovedRefs);
  if (!isObject(schema)) return schema;
  return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, movedMember(name, value)]));
}

function movedMember(name: string, value: Json): Json {
  if (name === 'const' || name === 'enum' || name === 'default' || name === 'examples') return value;
  if (name !== '$ref' || typeof value !== 'string') return withMovedRefs(value);
  if (value !== '#' && !value.startsWith('#/')) return value;
  return `#/properties/${member}${value.slice(1)}`;
}
