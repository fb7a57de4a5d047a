import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { at, pointerSteps } from '../../json/pointer.js';

/** Finds what references of a schema refer to. */
export interface SchemaIndex {
  /** Throws where there is nothing. */
  readonly resolve: (reference: string, from: JsonObject) => Json;
}

/** The address of a schema without an `$id`. */
const nowhere = '';

/** Their values are data, no schemas. */
const data: ReadonlySet<string> = new Set(['default', 'enum', 'const', 'examples']);
/** Their members have names of the user's, and are schemas. */
const maps: ReadonlySet<string> = new Set([
  ...['$defs', 'definitions', 'properties', 'patternProperties', 'dependencies', 'dependentSchemas'],
]);

/** Reads all `$id`s and anchors of a schema. Throws where two are the same. */
export function indexSchema(root: Json): SchemaIndex {
  const resources = new Map<string, Json>([[nowhere, root]]);
  const anchors = new Map<string, JsonObject>();
  const bases = new Map<JsonObject, string>();
  walk(root, nowhere);
  return { resolve };

  function walk(node: Json, outer: string): void {
    if (Array.isArray(node)) for (const item of node as readonly Json[]) walk(item, outer);
    if (!isObject(node)) return;
    const base = baseOf(node, outer);
    bases.set(node, base);
    for (const name of ['$anchor', '$dynamicAnchor']) {
      const anchor = node[name];
      if (typeof anchor === 'string') put(anchors, `${base}#${anchor}`, node);
    }
    for (const [name, value] of Object.entries(node)) {
      if (data.has(name)) continue;
      if (!maps.has(name) || !isObject(value)) walk(value, base);
      else for (const member of Object.values(value)) walk(member, base);
    }
  }

  /** In draft 7 an `$id` of a fragment is an anchor. */
  function baseOf(node: JsonObject, outer: string): string {
    const { $id } = node;
    if (typeof $id !== 'string') return outer;
    if ($id.startsWith('#')) {
      put(anchors, `${outer}${$id}`, node);
      return outer;
    }
    const base = joined(outer, $id).base;
    put(resources, base, node);
    return base;
  }

  function resolve(reference: string, from: JsonObject): Json {
    const { base, fragment } = joined(bases.get(from) ?? nowhere, reference);
    const resource = resources.get(base);
    const found = resource === undefined ? undefined : within(resource, base, fragment);
    if (found === undefined) throw new Error(`can't resolve reference ${reference}`);
    return found;
  }

  function within(resource: Json, base: string, fragment: string): Json | undefined {
    if (fragment === '') return resource;
    if (fragment.startsWith('/')) return at(resource, pointerSteps(fragment));
    return anchors.get(`${base}#${fragment}`);
  }
}

function put<Value>(into: Map<string, Value>, key: string, value: Value): void {
  if (into.has(key) && into.get(key) !== value) throw new Error(`reference "${key}" resolves to more than one schema`);
  into.set(key, value);
}

/** A reference, taken from an address. */
function joined(base: string, reference: string): { readonly base: string; readonly fragment: string } {
  const [path = '', ...behind] = reference.split('#');
  const fragment = decodeURIComponent(behind.join('#'));
  if (path === '') return { base, fragment };
  const address = base === nowhere ? 'schema:/' : base;
  return { base: new URL(path, address).href, fragment };
}
