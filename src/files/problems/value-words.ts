const kindNames: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
  null: 'nothing (~)',
};

/** Names of types of JSON Schema, joined. */
export function kinds(types: unknown): string {
  const names = (Array.isArray(types) ? types : [types]).map((type) => kindNames[String(type)] ?? String(type));
  return names.length > 1
    ? `${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}`
    : (names[0] ?? 'something else');
}

/** How a message refers to a value: its kind, and the value itself when it is short. */
export function describe(value: unknown): string {
  if (value === null) return 'nothing (null)';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  const text = JSON.stringify(value);
  const kind = typeof value === 'string' ? 'the text ' : `the ${typeof value} `;
  return text.length > 60 ? `${kind}${text.slice(0, 57)}..."` : `${kind}${text}`;
}
