import { checkSchema } from '../../judge/schema/conformance.js';
import { isObject, type Json } from '../../json/json.js';
import { at, withValueAt } from '../../json/pointer.js';
import type { EnforceSpec } from '../../suite/probe.js';

const known = new WeakMap<EnforceSpec, { readonly schema: Json | null }>();
type Steps = readonly string[];

/**
 * The probe's schema without the keywords that forbid the invalid document, so that the document conforms to the rest.
 * It shows whether a model would break the keyword if, without any schema, the model writes something else altogether.
 * null if no such schema is found.
 */
export function loosened(spec: EnforceSpec): Json | null {
  const found = known.get(spec) ?? { schema: withoutWhatForbids(spec) };
  known.set(spec, found);
  return found.schema;
}

/** How often a value violates a schema; Infinity where the schema cannot be used. */
function brokenBy(value: Json, schema: Json): number {
  const result = checkSchema(value, schema);
  return result.kind === 'violates' ? result.violations.length : result.kind === 'conforms' ? 0 : Infinity;
}

/** Removes what forbids the document, innermost parts first, to keep as much as possible. */
function withoutWhatForbids({ schema, invalid, keyword }: EnforceSpec): Json | null {
  let here = schema;
  let broken = brokenBy(invalid, schema);
  if (broken === Infinity) return null;
  if (broken === 0) return withoutAll(schema, keyword);
  for (const place of placesIn(schema).sort((one, other) => other.length - one.length)) {
    if (broken === 0) return here;
    const tried = without(here, place);
    const left = tried === here ? broken : brokenBy(invalid, tried);
    if (left < broken) [here, broken] = [tried, left];
  }
  return broken === 0 ? here : null;
}

/** Of a keyword that forbids nothing, such as `description`. */
function withoutAll(schema: Json, keyword: string): Json {
  const isKeyword = (place: Steps) => place.at(-1) === keyword && place.at(-2) !== 'properties';
  return placesIn(schema)
    .filter(isKeyword)
    .reduce((here, place) => without(here, place), schema);
}

/** Keywords that are removed whole: plain values, and those that would not become looser without a part. */
const indivisible = new Set('const enum default examples required type anyOf oneOf not if'.split(' '));

function placesIn(schema: Json, above: Steps = []): Steps[] {
  if (Array.isArray(schema)) {
    return (schema as readonly Json[]).flatMap((item, index) => placesIn(item, [...above, String(index)]));
  }
  if (!isObject(schema)) return [];
  return Object.entries(schema).flatMap(([name, value]) => {
    const place = [...above, name];
    return indivisible.has(name) ? [place] : [place, ...placesIn(value, place)];
  });
}

/** Some services read an absent keyword as `false`, so a `false` becomes `true` instead of being removed. */
function without(schema: Json, place: Steps): Json {
  const here = at(schema, place);
  return here === undefined ? schema : withValueAt(schema, place, here === false ? true : undefined);
}
