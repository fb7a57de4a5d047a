import { isObject, type Json } from '../json/json.js';

/** No service has more models; what is longer is no list of them. */
const mostIds = 20_000;

/** The ids of a list of models: `{ "data": [{ "id": ... }] }`, or the list by itself. null: it is none. */
export function idsIn(text: string): readonly string[] | null {
  let parsed: Json;
  try {
    parsed = JSON.parse(text) as Json;
  } catch {
    return null;
  }
  const list = isObject(parsed) ? (parsed['data'] ?? parsed['models']) : parsed;
  if (!Array.isArray(list) || list.length > mostIds) return null;
  const ids = (list as readonly Json[]).flatMap((item) => {
    const id = isObject(item) ? (item['id'] ?? item['name']) : item;
    return typeof id === 'string' ? [id] : [];
  });
  return ids.length === 0 ? null : ids;
}
