import { isObject, type Json, type JsonObject } from '../json/json.js';

/** Where the value itself is part of the shape: closed lists of the wire. `*` stands for any index. */
const choices: ReadonlySet<string> = new Set([
  '/messages/*/role',
  '/messages/*/content/*/type',
  '/messages/*/tool_calls/*/type',
  '/tools/*/type',
  '/tool_choice',
  '/tool_choice/type',
  '/tool_choice/mode',
  '/tool_choice/allowed_tools/mode',
  '/function_call',
  '/response_format/type',
  '/modalities/*',
  '/reasoning_effort',
  '/reasoning/effort',
  '/thinking/type',
  '/service_tier',
  '/verbosity',
]);

/** Where a JSON Schema stands, which is kept whole. */
const schemaPlaces: ReadonlySet<string> = new Set([
  '/response_format/json_schema/schema',
  '/response_format/schema',
  '/tools/*/function/parameters',
  '/tools/*/parameters',
  '/functions/*/parameters',
  '/text/format/schema',
]);

/** Lists of which only the kinds of items matter, not how many there are of each. */
const repeated: ReadonlySet<string> = new Set(['/messages', '/messages/*/content', '/messages/*/tool_calls', '/stop']);

const wholeNumbers = /^\/(?:n|seed|top_logprobs|max_tokens|max_completion_tokens|max_output_tokens)$/;

/**
 * The tree of a body: fields with the types of their values, choices and flags as they are, and JSON Schemas whole. The
 * order of members and what prompts say do not matter.
 */
export function bodyShape(body: Json): Json {
  return shapeAt(body, '');
}

export const isSchemaPlace = (place: string): boolean => schemaPlaces.has(place);

function shapeAt(value: Json, place: string): Json {
  if (isSchemaPlace(place)) return canonical(value);
  if (Array.isArray(value)) return itemsShape(value as readonly Json[], place);
  if (isObject(value)) return membersShape(value, place);
  switch (typeof value) {
    case 'string':
      return choices.has(place) ? value : 'string';
    case 'number':
      return wholeNumbers.test(place) && Number.isInteger(value) ? 'integer' : 'number';
    default:
      return value;
  }
}

function membersShape(value: JsonObject, place: string): JsonObject {
  return Object.fromEntries(sorted(value).map(([name, member]) => [name, shapeAt(member, `${place}/${name}`)]));
}

function itemsShape(items: readonly Json[], place: string): Json {
  const shapes = items.map((item) => shapeAt(item, `${place}/*`));
  if (!repeated.has(place)) return shapes;
  return [...new Map(shapes.map((shape) => [JSON.stringify(shape), shape])).values()];
}

/** The same value with its members in the order of their names. */
export function canonical(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(canonical);
  if (!isObject(value)) return value;
  return Object.fromEntries(sorted(value).map(([name, member]) => [name, canonical(member)]));
}

const sorted = (value: JsonObject): [string, Json][] =>
  Object.entries(value).sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
