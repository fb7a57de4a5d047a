import type { Path } from '../files/source.js';
import { isObject, type Json, type JsonObject } from '../json/json.js';
import { at } from '../json/pointer.js';

/** Where in a request a field of that name belongs instead, in words; null when it is at home nowhere near. */
export type Homes = (name: string, holder: Path) => string | null;

/** At the top of a request, other names of inner fields (name, text, url) are as likely a vendor's own field. */
const innerOnly = new Set(['strict', 'schema', 'parameters', 'role', 'content', 'tool_calls', 'include_usage']);

/** Reads the places of all fields from the JSON Schema of requests. Fields of vendors are at home where they stand. */
export function homesIn(schema: JsonObject): Homes {
  const homes = new Map<string, string[]>();
  collect(schema, schema, '', homes);
  return (name, holder) => {
    const here = labelOf(holder);
    const found = homes.get(name) ?? [];
    const near = found.find((home) =>
      here === '' ? innerOnly.has(name) : home === '' || parentOf(home) === here || parentOf(here) === home,
    );
    if (near === undefined) return null;
    return near === '' ? 'at the top of the request' : `into ${near}`;
  };
}

function collect(schema: Json, root: JsonObject, label: string, homes: Map<string, string[]>): void {
  const here = resolved(schema, root);
  if (!isObject(here)) return;
  if (here['items'] !== undefined) collect(here['items'], root, `${label}[]`, homes);
  const { properties } = here;
  if (!isObject(properties)) return;
  for (const [name, member] of Object.entries(properties)) {
    if (isObject(member) && member['$ref'] === '#/$defs/vendorField') continue;
    homes.set(name, [...(homes.get(name) ?? []), label]);
    collect(member, root, label === '' ? name : `${label}.${name}`, homes);
  }
}

function resolved(schema: Json, root: JsonObject): Json | undefined {
  const ref = isObject(schema) ? schema['$ref'] : undefined;
  return typeof ref === 'string' ? at(root, ref.slice(2).split('/')) : schema;
}

function labelOf(holder: Path): string {
  return holder
    .map((step) => (/^\d+$/.test(String(step)) ? '[]' : `.${step}`))
    .join('')
    .replace(/^\./, '');
}

function parentOf(label: string): string | null {
  return label === '' ? null : (/^(.*)(?:\.[^.]+?)(?:\[\])?$/.exec(label)?.[1] ?? '');
}
