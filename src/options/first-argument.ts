import { checkOptions, shown, type OptionTable } from './check-options.js';
import type { Kind } from './kinds.js';

/** Throws a TypeError where the first argument of a public function cannot be one: what it must be, and what came. */
export function checkFirst(name: string, given: unknown, { words, type }: Pick<Kind, 'words' | 'type'>): void {
  if (type(given)) return;
  const came = given instanceof Promise ? 'a promise: await it first' : shown(given);
  throw new TypeError(`\`${name}\`: the first argument must be ${words}, not ${came}`);
}

const options = { words: 'its options', type: (value: unknown) => !(value instanceof Promise) };

/** {@link checkOptions} of a function that takes nothing else: a promise would be options that are all left out. */
export function checkOnlyOptions<Options>(name: string, given: Options, table: OptionTable<Options>): void {
  checkFirst(name, given, options);
  checkOptions(`\`${name}\``, given, table);
}

/**
 * The same function for programs: given something else as its first argument, it says so in one sentence.
 * @param is whether something can be the argument
 * @param words what it must be, after "must be"
 */
export function taking<Given extends readonly unknown[], Result>(
  name: string,
  words: string,
  is: (value: object) => boolean,
  call: (...given: Given) => Result,
): (...given: Given) => Result {
  const type = (value: unknown): boolean => typeof value === 'object' && value !== null && is(value);
  return (...given) => {
    checkFirst(name, given[0], { words, type });
    return call(...given);
  };
}
