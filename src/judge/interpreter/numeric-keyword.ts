import type { Json } from '../../json/json.js';
import type { Keyword } from './node-check.js';

/** A keyword that holds a number, and refuses values with a message. */
export function numeric(
  name: string,
  refuses: (value: Json, limit: number) => boolean,
  message: (limit: number) => string,
): Keyword {
  return (schema) => {
    const limit = schema[name];
    if (typeof limit !== 'number') return null;
    return (value, at, { violations }) => {
      if (refuses(value, limit)) violations.push({ at, message: message(limit) });
    };
  };
}

/**
 * The two keywords that bound a size, such as `maxItems` and `minItems`.
 * @param sizeOf null: the value has no such size, and nothing is refused
 */
export function sizeLimits(of: string, noun: string, sizeOf: (value: Json) => number | null): readonly Keyword[] {
  const limit = (name: string, word: string, refuses: (size: number, limit: number) => boolean): Keyword =>
    numeric(
      `${name}${of}`,
      (value, bound) => {
        const size = sizeOf(value);
        return size !== null && refuses(size, bound);
      },
      (bound) => `must NOT have ${word} than ${bound} ${noun}`,
    );
  return [limit('max', 'more', (size, bound) => size > bound), limit('min', 'fewer', (size, bound) => size < bound)];
}
