import { isObject, type Json } from '../json/json.js';

/** Fields whose values say in which form an answer is asked for. */
const telling = ['response_format', 'tool_choice', 'stream'];

/**
 * Requests of one kind have the same fields and ask for the same form of answer. A service that always refuses one kind
 * while it answers others is not short of capacity.
 */
export function requestKind(body: Json): string {
  if (!isObject(body)) return '';
  const forms = telling.map((name) => {
    const value = body[name];
    return isObject(value) ? value['type'] : value;
  });
  return JSON.stringify([Object.keys(body).sort(), forms]);
}
