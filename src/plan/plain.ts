import type { Json } from '../json/json.js';

/** A value as JSON keeps it, without undefined members. */
export function plain(value: object): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
