import { isObject, type JsonObject } from '../../json/json.js';
import { formsOf } from './sample-of.js';

/**
 * Where a key belongs that stands one level too high, as the next step; undefined when no member beside it takes it.
 * @param parent the schema of the mapping that it stands in
 * @param root the schema that the references of `parent` lead into
 */
export function deeperHome(key: string, parent: JsonObject, root: JsonObject): string | undefined {
  const { properties } = parent;
  if (!isObject(properties)) return undefined;
  const homes = Object.entries(properties).flatMap(([name, member]) => {
    const schemas = formsOf(member, root);
    if (schemas.some((schema) => takes(schema, key))) return [`"${name}"`];
    const inner = schemas.flatMap(({ items, additionalProperties = false }) => [
      ...formsOf(items ?? false, root),
      ...formsOf(additionalProperties, root),
    ]);
    return inner.some((schema) => takes(schema, key)) ? [`one of the "${name}"`] : [];
  });
  return homes.length === 0 ? undefined : `it belongs into ${homes.join(' or ')}: indent it further, under that`;
}

function takes({ properties }: JsonObject, key: string): boolean {
  return isObject(properties) && Object.hasOwn(properties, key);
}
