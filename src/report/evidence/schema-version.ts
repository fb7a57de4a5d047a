import { digest } from '../../json/digest.js';
import { at } from '../../json/pointer.js';
import { isObject, type Json } from '../../json/json.js';

/**
 * The versions of the schemas in a request body: name and SHA-256 of the canonical JSON, `invoice sha256:...`;
 * several tools give several. null when the request carries no schema.
 */
export function schemaVersion(body: Json): string | null {
  const tools = at(body, ['tools']);
  const versions = [
    version(at(body, ['response_format', 'json_schema']), 'schema'),
    ...(Array.isArray(tools) ? (tools as readonly Json[]) : []).map((tool) =>
      version(at(tool, ['function']), 'parameters'),
    ),
  ].filter((one) => one !== null);
  return versions.length === 0 ? null : versions.join(', ');
}

function version(holder: Json | undefined, member: string): string | null {
  if (!isObject(holder)) return null;
  const schema = holder[member];
  const name = typeof holder['name'] === 'string' ? holder['name'] : '';
  return schema === undefined ? null : `${name} sha256:${digest(schema)}`;
}
