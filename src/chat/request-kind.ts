import { isObject, type Json, type JsonObject } from '../json/json.js';

/** Fields whose values say in which form an answer is asked for. */
const telling = ['response_format', 'tool_choice', 'stream'];

/**
 * Requests of one kind have the same fields and ask for the same form of answer. A service that always refuses one kind
 * while it answers others is not short of capacity.
 */
export function requestKind(body: Json): string {
  if (!isObject(body)) return '';
  const before = known.get(body);
  if (before !== undefined) return before;
  const kind = kindOf(body);
  known.set(body, kind);
  return kind;
}

/** The trials of a cell mostly send the same body, which is asked for with each of them. */
const known = new WeakMap<JsonObject, string>();

function kindOf(body: JsonObject): string {
  const forms = telling.map((name) => {
    const value = body[name];
    return isObject(value) ? value['type'] : value;
  });
  return JSON.stringify([Object.keys(body).sort(), forms]);
}
