/** What an option may be. */
export interface Kind {
  /** After "must be". */
  readonly words: string;
  readonly type: (value: unknown) => boolean;
  /** Of a value of the right type. */
  readonly fits?: (value: unknown) => boolean;
  readonly required?: true;
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): boolean => typeof value === 'string';

export const aText: Kind = { words: 'a text', type: isText };
export const aFlag: Kind = { words: 'true or false', type: (value) => typeof value === 'boolean' };
export const aFunction: Kind = { words: 'a function', type: (value) => typeof value === 'function' };
export const anObject: Kind = { words: 'an object', type: isObject };
export const aList: Kind = { words: 'a list', type: Array.isArray };
export const aMap: Kind = { words: 'a Map', type: (value) => value instanceof Map };
export const aSet: Kind = { words: 'a Set', type: (value) => value instanceof Set };
export const aDate: Kind = {
  words: 'a Date',
  type: (value) => value instanceof Date,
  fits: (value) => !Number.isNaN(Number(value)),
};
export const texts: Kind = {
  words: "a list of texts, such as ['a', 'b']",
  type: (value) => Array.isArray(value) && value.every(isText),
};

/** The function looks at it itself, or takes what it is given as it is. */
export const anything: Kind = { words: '', type: () => true };

export function aWhole(from: number, to = Number.MAX_SAFE_INTEGER): Kind {
  const open = to === Number.MAX_SAFE_INTEGER;
  return {
    words: open ? `a whole number of at least ${from}` : `a whole number from ${from} to ${to}`,
    type: (value) => typeof value === 'number',
    fits: (value) => Number.isSafeInteger(value) && Number(value) >= from && Number(value) <= to,
  };
}

/** @param words what the values are, where they are too many to list */
export function oneOf(values: readonly string[], words = values.join(' or ')): Kind {
  return { words, type: isText, fits: (value) => values.includes(String(value)) };
}

/** @param kind its words are in the plural */
export function listOf({ words, type }: Kind): Kind {
  return { words: `a list of ${words}`, type: (value) => Array.isArray(value) && value.every(type) };
}

export function required(kind: Kind): Kind {
  return { ...kind, required: true };
}

export function orNull({ words, type, fits }: Kind): Kind {
  return {
    words: `${words} or null`,
    type: (value) => value === null || type(value),
    fits: (value) => value === null || (fits?.(value) ?? true),
  };
}
