/** What was given, for a message: the value, unless it is long, since it may be a key, or a text of pages. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return value.length > 12 ? `a text of ${value.length} characters` : `"${value}"`;
  if (Object(value) !== value) return String(value);
  if (typeof value === 'function') return 'a function';
  return Array.isArray(value) ? 'a list' : shownObject(value as object);
}

/** By its class or its members, of which the first few tell what it is. */
function shownObject(value: object): string {
  const { name = '' } = (value.constructor as { readonly name?: string } | undefined) ?? {};
  if (name !== '' && name !== 'Object') return `an object of class ${name}`;
  const members = Object.keys(value).map((key) => key.slice(0, longestName));
  if (members.length === 0) return 'an empty object';
  return `an object with ${members.slice(0, mostMembers).join(', ')}${members.length > mostMembers ? ', ...' : ''}`;
}

const mostMembers = 5;
/** A longer one may be a key. */
const longestName = 20;
