import type { Kind } from './kinds.js';
import { shown } from './shown.js';

/** Every option of a function, and what it may be. */
export type OptionTable<Options> = { readonly [Name in keyof Options]-?: Kind };

/**
 * Refuses options that a function does not have, and values that an option cannot take: a program written in JavaScript,
 * or one that was compiled against another version, would otherwise get a default without knowing it.
 * Throws a TypeError, or a RangeError for a number or a word of the right type. An undefined option is absent.
 * @param where what is called, such as "`simulate`"
 */
export function checkOptions<Options>(where: string, given: Options, table: OptionTable<Options>): void {
  if (Object(given) !== given || Array.isArray(given)) throw new TypeError(`${where}: options must be an object`);
  const kinds = table as Readonly<Record<string, Kind>>;
  for (const name of Object.keys(given as object))
    if (!Object.hasOwn(kinds, name)) throw unknown(where, name, Object.keys(kinds));
  for (const name of Object.keys(kinds)) {
    const kind = kinds[name];
    const value = (given as Readonly<Record<string, unknown>>)[name];
    if (kind === undefined || (value === undefined && !kind.required)) continue;
    const Refusal = !kind.type(value) ? TypeError : kind.fits?.(value) === false ? RangeError : null;
    if (Refusal !== null) throw new Refusal(`${where}: "${name}" must be ${kind.words}, not ${shown(value)}`);
  }
}

function unknown(where: string, name: string, names: readonly string[]): TypeError {
  const most = Math.min(4, Math.ceil(name.length / 4));
  const near = names.find((one) => nearlySame(name.toLowerCase(), one.toLowerCase(), most));
  const listed = names.slice(0, mostListed).join(', ') + (names.length > mostListed ? ', ...' : '');
  return new TypeError(
    `${where} has no "${name}"${near === undefined ? '.' : `: did you mean "${near}"?`} It has ${listed}`,
  );
}

const mostListed = 10;

/**
 * Whether at most so many letters differ. By hand, since a library for it would be larger than all that an application
 * loads with `chatspec/capabilities`.
 */
function nearlySame(one: string, other: string, most: number): boolean {
  if (most < 0) return false;
  if (one === '' || other === '') return one.length + other.length <= most;
  const [rest, otherRest] = [one.slice(1), other.slice(1)];
  if (one[0] === other[0]) return nearlySame(rest, otherRest, most);
  const left = most - 1;
  return nearlySame(rest, other, left) || nearlySame(one, otherRest, left) || nearlySame(rest, otherRest, left);
}
