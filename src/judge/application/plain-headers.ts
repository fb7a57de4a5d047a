/** Headers as a plain object with names in lower case, from a `Headers` object, a plain one, or pairs. */
export function plainHeaders(headers: unknown): Readonly<Record<string, string>> {
  if (typeof headers !== 'object' || headers === null) return {};
  const entries = Symbol.iterator in headers ? [...(headers as Iterable<unknown>)] : Object.entries(headers);
  const pairs = entries.filter((entry): entry is readonly unknown[] => Array.isArray(entry) && entry.length === 2);
  return Object.fromEntries(pairs.map(([name, value]) => [String(name).toLowerCase(), textOf(value)]));
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value);
}
