import type { OptionKind } from './kinds.js';

/** Every option of a function, and what it may be. */
export type OptionTable<Options> = { readonly [Name in keyof Options]-?: OptionKind };

/**
 * Refuses options that a function does not have, and values that an option cannot take: a program written in
 * JavaScript, or one that was compiled against another version, would otherwise get a default without knowing it.
 * Throws a TypeError, or a RangeError for a number or a word of the right type. An undefined option is absent.
 * @param where what is called, such as "`simulate`"
 */
export function checkOptions<Options>(where: string, given: Options, table: OptionTable<Options>): void {
  if (Object(given) !== given || Array.isArray(given)) throw new TypeError(`${where}: options must be an object`);
  const kinds = table as Readonly<Record<string, OptionKind>>;
  for (const name of Object.keys(given as object)) {
    if (Object.hasOwn(kinds, name)) continue;
    const names = Object.keys(kinds).join(', ');
    throw new TypeError(`${where} has no "${name}". It has ${names}`);
  }
  for (const [name, { words, type, fits = () => true, required = false }] of Object.entries(kinds)) {
    const value = (given as Readonly<Record<string, unknown>>)[name];
    if (value === undefined && !required) continue;
    const isOfType = type(value);
    if (isOfType && fits(value)) continue;
    const message = `${where}: "${name}" must be ${words}, not ${givenValueText(value)}`;
    throw isOfType ? new RangeError(message) : new TypeError(message);
  }
}

/** The given value for a message, unless it is long, since it may be a key, or a text of pages. */
function givenValueText(value: unknown): string {
  if (typeof value === 'string') return value.length > 12 ? 'a long text' : `"${value}"`;
  if (Object(value) !== value) return String(value);
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`;
}
