/** The kinds of values that an option may be. */
export interface OptionKind {
  /** After "must be". */
  readonly words: string;
  readonly type: (value: unknown) => boolean;
  /** Of a value of the right type. */
  readonly fits?: (value: unknown) => boolean;
  readonly required?: true;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isPlainObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
const aTextList = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isValidDate = (value: unknown): boolean => !Number.isNaN(Number(value));

export const aText: OptionKind = { words: 'a text', type: isText };
export const aFlag: OptionKind = { words: 'true or false', type: (value) => typeof value === 'boolean' };
export const aFunction: OptionKind = { words: 'a function', type: (value) => typeof value === 'function' };
export const anObject: OptionKind = { words: 'an object', type: isPlainObject };
export const aList: OptionKind = { words: 'a list', type: Array.isArray };
export const aMap: OptionKind = { words: 'a Map', type: (value) => value instanceof Map };
export const aDate: OptionKind = { words: 'a Date', type: (value) => value instanceof Date, fits: isValidDate };
export const listOfTexts: OptionKind = { words: "a list of texts, such as ['a', 'b']", type: aTextList };
/** The function looks at it itself, or takes what it is given as it is. */
export const anyValue: OptionKind = { words: '', type: () => true };

export function aWhole(from: number, to = Number.MAX_SAFE_INTEGER): OptionKind {
  const fits = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= from && Number(value) <= to;
  const range = to === Number.MAX_SAFE_INTEGER ? `of at least ${from}` : `from ${from} to ${to}`;
  return { words: `a whole number ${range}`, type: (value) => typeof value === 'number', fits };
}

/** @param words what the values are, where they are too many to list */
export function oneOfKind(values: readonly string[], words = values.join(' or ')): OptionKind {
  return { words, type: isText, fits: (value) => values.includes(String(value)) };
}

/** @param kind its words are in the plural */
export function listKind({ words, type }: OptionKind): OptionKind {
  return { words: `a list of ${words}`, type: (value) => Array.isArray(value) && value.every(type) };
}

export function required(kind: OptionKind): OptionKind {
  return { ...kind, required: true };
}

export function orNull({ words, type, fits = () => true }: OptionKind): OptionKind {
  const orNone = (test: OptionKind['type']) => (value: unknown) => value === null || test(value);
  return { words: `${words} or null`, type: orNone(type), fits: orNone(fits) };
}
