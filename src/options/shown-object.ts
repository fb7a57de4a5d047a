import { shown } from './shown.js';

/** By its class or its members, of which the first few tell what it is. */
export function shownObject(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return shown(value);
  const { name = '' } =
    ((value as { readonly constructor?: unknown }).constructor as { readonly name?: string } | undefined) ?? {};
  if (name !== '' && name !== 'Object') return `an object of class ${name}`;
  const members = Object.keys(value).map((key) => key.slice(0, longestName));
  if (members.length === 0) return 'an empty object';
  return `an object with ${members.slice(0, mostMembers).join(', ')}${members.length > mostMembers ? ', ...' : ''}`;
}

const mostMembers = 5;
/** A longer one may be a key. */
const longestName = 20;
