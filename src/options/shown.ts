/** What was given, for a message: the value, unless it is long, since it may be a key, or a text of pages. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return value.length > 12 ? 'a long text' : `"${value}"`;
  if (Object(value) !== value) return String(value);
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`;
}
