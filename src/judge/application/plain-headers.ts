/** Headers as a plain object with names in lower case, from a `Headers` object, a plain one, or pairs. */
export function plainHeaders(headers: unknown): Readonly<Record<string, string>> {
  if (typeof headers !== 'object' || headers === null) return {};
  if (isPlain(headers)) return headers;
  const entries = Symbol.iterator in headers ? [...(headers as Iterable<unknown>)] : Object.entries(headers);
  const pairs = entries.filter((entry): entry is readonly unknown[] => Array.isArray(entry) && entry.length === 2);
  return Object.fromEntries(pairs.map(([name, value]) => [String(name).toLowerCase(), textOf(value)]));
}

/** As most are that were read before. To look at them takes a third of the time that a copy takes. */
function isPlain(headers: object): headers is Readonly<Record<string, string>> {
  if (Symbol.iterator in headers) return false;
  for (const name of Object.keys(headers))
    if (/[^a-z\d-]/.test(name) || typeof (headers as Readonly<Record<string, unknown>>)[name] !== 'string')
      return false;
  return true;
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value);
}
