import { isObject, type Json, type JsonObject, writtenJson, at, withValueAt } from '../../json/json.js';
import { checkSchema } from '../../judge/schema/conformance.js';
import type { EnforceSpec } from '../../suite/probe.js';
import type { Ask } from '../plan.js';

/** The function, and the schema, by which a document is sent back. */
export const echoName = 'repeat';

/** The lines around the document. */
const echoMarks = { before: '<document>', after: '</document>' } as const;

/** Enough for the document, and a limit for a model that rambles. */
const enoughTokens = 1024;

/**
 * The request that makes a model repeat a document: `valid` and `invalid` with the schema in the channel, `free` the
 * invalid document without a schema, `loose` with a schema that allows it. The rest of the probe's own request (limits,
 * temperature, settings) stays.
 */
export function echoRequest(
  request: JsonObject,
  spec: EnforceSpec,
  kind: Ask['kind'],
  channel: string | undefined,
): JsonObject {
  const document = kind === 'valid' ? spec.valid : spec.invalid;
  const constraint = kind === 'loose' ? loosened(spec) : spec.schema;
  const schema = kind === 'free' ? null : constraint;
  const form = channel === 'tools' ? toolForm(schema) : formatForm(schema);
  return {
    ...withoutForms(request),
    messages: echoMessages(document, channel),
    max_tokens: enoughTokens,
    ...tokenLimitOnly(request),
    ...form,
  };
}

function echoMessages(document: Json, channel: string | undefined): Json {
  const how = channel === 'tools' ? `, as the arguments of the function ${echoName}` : '';
  const task =
    channel === 'tools'
      ? `always call the function ${echoName} with the JSON document that you were given, exactly as it is.`
      : 'answer with the JSON document that you were given and nothing else: no explanation, no code fence.';
  const user = [
    `Repeat the JSON document between the marks character for character${how}.`,
    'Do not correct, complete or shorten it.',
  ].join(' ');
  return [
    { role: 'system', content: `You repeat documents. You ${task}` },
    { role: 'user', content: `${user}\n${echoMarks.before}\n${writtenJson(document)}\n${echoMarks.after}` },
  ];
}

function formatForm(schema: Json | null): JsonObject {
  if (schema === null) return {};
  return { response_format: { type: 'json_schema', json_schema: { name: echoName, strict: true, schema } } };
}

function toolForm(schema: Json | null): JsonObject {
  const description = 'Sends a JSON document back.';
  const parameters = schema ?? { type: 'object' };
  const strict = schema === null ? {} : { strict: true };
  return {
    tools: [{ type: 'function', function: { name: echoName, description, ...strict, parameters } }],
    tool_choice: 'required',
  };
}

const requestFormFields = ['messages', 'response_format', 'tools', 'tool_choice'];

function withoutForms(request: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(request).filter(([name]) => !requestFormFields.includes(name) && name !== 'max_tokens'),
  );
}

function tokenLimitOnly({ max_tokens: limit }: JsonObject): JsonObject {
  return limit === undefined ? {} : { max_tokens: limit };
}

/** The member that carries a document which is not an object. */
const member = 'value';

/**
 * The spec in a form that every service accepts. The root of a schema that constrains the output, and of a tool's
 * parameters, has to be an object, so any other schema and its documents are sent as the only member of an object.
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

/** `#/...` counts from the root, which is now two steps further up. */
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

const echoSchemaCache = new WeakMap<EnforceSpec, { readonly schema: Json | null }>();
type Steps = readonly string[];

/**
 * The probe's schema without the keywords that forbid the invalid document, so that the document conforms to the rest.
 * It shows whether a model would break the keyword if, without any schema, the model writes something else altogether.
 * null if no such schema is found.
 */
export function loosened(spec: EnforceSpec): Json | null {
  const found = echoSchemaCache.get(spec) ?? { schema: withoutWhatForbids(spec) };
  echoSchemaCache.set(spec, found);
  return found.schema;
}

/** How often a value violates a schema; Infinity where the schema cannot be used. */
function brokenBy(value: Json, schema: Json): number {
  const result = checkSchema(value, schema);
  if (result.kind === 'violates') return result.violations.length;
  return result.kind === 'conforms' ? 0 : Infinity;
}

/** Removes what forbids the document, innermost parts first, to keep as much as possible. */
function withoutWhatForbids({ schema, invalid, keyword }: EnforceSpec): Json | null {
  let here = schema;
  let broken = brokenBy(invalid, schema);
  if (broken === Infinity) return null;
  if (broken === 0) return withoutAll(schema, keyword);
  for (const place of placesIn(schema).sort((one, other) => other.length - one.length)) {
    if (broken === 0) return here;
    const tried = schemaWithoutKeywordAt(here, place);
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
    .reduce((here, place) => schemaWithoutKeywordAt(here, place), schema);
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
function schemaWithoutKeywordAt(schema: Json, place: Steps): Json {
  const here = at(schema, place);
  return here === undefined ? schema : withValueAt(schema, place, here === false ? true : undefined);
}
