import { isObject, type Json, type JsonObject } from './json.js';

/**
 * A number that tells apart the values of a run that are compared with each other anyway: FNV-1a of 32 bits, since a
 * cryptographic digest of each answer would take longer than to judge it. Members count in the order in which they stand.
 * @param skip names of members of an object, not of those within it, that do not count
 */
export function fingerprint(value: Json, skip?: ReadonlySet<string>): number {
  return mixed(basis, value, skip) >>> 0;
}

const [basis, prime] = [0x811c9dc5, 0x01000193];

function mixed(hash: number, value: Json, skip?: ReadonlySet<string>): number {
  if (typeof value === 'string') return ofText(hash, value);
  if (typeof value !== 'object' || value === null) return ofText(hash, String(value));
  if (isObject(value)) return ofText(ofMembers(ofText(hash, '{'), value, skip), '}');
  let all = ofText(hash, '[');
  for (const item of value) all = mixed(all, item);
  return ofText(all, ']');
}

function ofMembers(hash: number, value: JsonObject, skip: ReadonlySet<string> | undefined): number {
  let all = hash;
  // Without a list of its members, which takes half of the time; JSON values inherit none.
  for (const name in value) {
    const member = value[name];
    if (member !== undefined && skip?.has(name) !== true) all = mixed(ofText(all, name), member);
  }
  return all;
}

function ofText(hash: number, text: string): number {
  let all = Math.imul(hash ^ text.length, prime);
  for (let at = 0; at < text.length; at++) all = Math.imul(all ^ text.charCodeAt(at), prime);
  return all;
}
