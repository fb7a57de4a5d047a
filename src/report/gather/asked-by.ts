import { fingerprint } from '../../json/fingerprint.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';

/** The trials of a cell mostly send the same body. */
const known = new WeakMap<JsonObject, number>();

/** A fingerprint of what a request asks. */
export function askedBy(body: Json): number {
  if (!isObject(body)) return 0;
  const before = known.get(body);
  if (before !== undefined) return before;
  const made = fingerprint(body, howSent);
  known.set(body, made);
  return made;
}

/** The same question may be streamed or not. */
const howSent: ReadonlySet<string> = new Set(['stream', 'stream_options']);
