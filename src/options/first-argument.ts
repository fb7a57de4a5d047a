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
  return (...given) => {
    const first: unknown = given[0];
    if (typeof first === 'object' && first !== null && is(first)) return call(...given);
    const promise = first instanceof Promise ? ', not a promise: await it first' : '';
    throw new TypeError(`\`${name}\`: the first argument must be ${words}${promise}`);
  };
}
