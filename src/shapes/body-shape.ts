import { canonicalJson, isObject, type Json } from '../json/json.js';

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
 * The tree of a body: fields with the types of their values, choices and flags as they are, and JSON Schemas whole;
 * members in the order of their names. What prompts say does not matter.
 */
export function bodyShape(body: Json): Json {
  return JSON.parse(canonicalJson(shapeAt(body, ''))) as Json;
}

function shapeAt(value: Json, place: string): Json {
  if (schemaPlaces.has(place)) return value;
  if (Array.isArray(value)) {
    const shapes = (value as readonly Json[]).map((item) => shapeAt(item, `${place}/*`));
    return repeated.has(place) ? [...new Map(shapes.map((shape) => [canonicalJson(shape), shape])).values()] : shapes;
  }
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, shapeAt(member, `${place}/${name}`)]),
    );
  if (typeof value === 'string') return choices.has(place) ? value : 'string';
  if (typeof value === 'number') return wholeNumbers.test(place) && Number.isInteger(value) ? 'integer' : 'number';
  return value;
}
