import { isObject, type Json, type JsonObject } from '../../json/json.js';

/** What every request has, what differs from cell to cell anyway, and what only goes with another member. */
const untelling: ReadonlySet<string> = new Set(
  'model messages max_tokens max_completion_tokens stream_options parallel_tool_calls seed user'.split(' '),
);
/** Characters; a longer value is none of few. */
const longest = 40;

/**
 * What a request has beside its prompt and its cap, as people write it: `stream: true`, `tools`,
 * `response_format: json_schema`. The sorted list names a form of request.
 */
export function requestMembers(body: Json): readonly string[] {
  if (!isObject(body)) return [];
  const before = known.get(body);
  if (before !== undefined) return before;
  const members = [...Object.entries(body).flatMap(([name, value]) => memberOf(name, value)), ...toolResults(body)];
  known.set(body, members.sort());
  return members;
}

/** The trials of a cell mostly send the same body. */
const known = new WeakMap<JsonObject, readonly string[]>();

function memberOf(name: string, value: Json): readonly string[] {
  if (untelling.has(name) || value === null) return [];
  if (Array.isArray(value)) return value.length === 0 ? [] : [name];
  // Its form decides; its type is always function.
  if (isObject(value) && name === 'tool_choice') return [`${name}: object`, name];
  if (isObject(value)) return typeof value['type'] === 'string' ? [`${name}: ${value['type']}`, name] : [name];
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > longest ? [name] : [`${name}: ${text}`];
}

function toolResults({ messages }: JsonObject): readonly string[] {
  const has = Array.isArray(messages) && messages.some((one) => isObject(one) && one['role'] === 'tool');
  return has ? ['a tool message'] : [];
}
