import { isObject, type Json } from '../json/json.js';
import type { RequestShape } from './shape.js';

/**
 * The capabilities, by id, that a request of this shape needs of a model: the form, the stream, each keyword of its
 * schemas, and thinking.
 */
export function capabilitiesUsed({ body }: Pick<RequestShape, 'body'>): ReadonlySet<string> {
  const used = new Set<string>();
  if (!isObject(body)) return used;
  const { response_format: format, tools, tool_choice: choice, thinking, reasoning_effort: effort } = body;
  const type = isObject(format) ? format['type'] : null;
  if (type === 'json_schema' || type === 'json_object') used.add(type);
  if (isObject(format) && isObject(format['json_schema'])) {
    for (const keyword of keywordsIn(format['json_schema']['schema'])) used.add(`schema.${keyword}`);
  }
  const hasTools = Array.isArray(tools) && tools.length > 0;
  if (hasTools) {
    used.add('tools');
    used.add(`tool_choice.${isObject(choice) ? 'object' : typeof choice === 'string' ? choice : 'auto'}`);
    for (const tool of tools as readonly Json[]) {
      if (!isObject(tool) || !isObject(tool['function'])) continue;
      for (const keyword of keywordsIn(tool['function']['parameters'])) used.add(`tool_schema.${keyword}`);
    }
  }
  const form = hasTools ? 'tools' : typeof type === 'string' ? type : 'chat';
  if (!hasTools && form === 'chat') used.add('chat');
  if (body['stream'] === true) used.add(`stream.${form}`);
  if (isObject(thinking) && typeof thinking['type'] === 'string') used.add(`thinking.${thinking['type']}`);
  if (typeof effort === 'string') used.add(`reasoning_effort.${effort}`);
  return used;
}

/** Members of a schema whose own members are names, or data, and no keywords. */
const named: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
const data: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples', 'required', 'dependentRequired']);

/** The keywords of a value at a place in a schema; what `properties` holds are names and no keywords. */
export function keywordsAt(steps: readonly string[], value: Json | undefined): readonly string[] {
  const [keyword, ...rest] = steps;
  if (keyword === undefined) return [...keywordsIn(value)];
  if (data.has(keyword)) return [keyword];
  if (rest.length === 0) return [...keywordsIn({ [keyword]: value ?? null })];
  const inner = keywordsAt(named.has(keyword) ? rest.slice(1) : rest, value);
  return inner.length > 0 ? inner : [keyword];
}

function keywordsIn(schema: Json | undefined, found = new Set<string>()): ReadonlySet<string> {
  if (Array.isArray(schema)) for (const item of schema as readonly Json[]) keywordsIn(item, found);
  if (!isObject(schema)) return found;
  for (const [keyword, value] of Object.entries(schema)) {
    found.add(keyword);
    if (named.has(keyword) && isObject(value)) for (const member of Object.values(value)) keywordsIn(member, found);
    else if (!data.has(keyword)) keywordsIn(value, found);
  }
  return found;
}
