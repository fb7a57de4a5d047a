import { isObject, mapLeaves, type Json } from '../../json/json.js';
import { dataKeywords } from './keywords.js';

/**
 * The library that reads schemas knows numbers only. So each integer beyond 2^53 gets a number that stands for it:
 * others above 2^53, in the same order, equal where the integers are. What depends on the integer itself, `multipleOf`,
 * is decided beforehand.
 */
export interface StandIns {
  readonly value: Json;
  readonly schema: Json;
  /** A message of the library, with the integers themselves. */
  readonly restored: (message: string) => string;
}

/** One below, and what is no multiple of 2, no number differs from its neighbours. */
const firstStandIn = 2 ** 53 + 2;

/** The beginning of the message of a broken `multipleOf`. */
const multipleMark = 'must be multiple of ';

/**
 * @returns null where a number written with a fraction or an exponent may or may not be the same as an integer beyond
 * 2^53, since its last digits are not known
 */
export function standIns(value: Json, schema: Json): StandIns | null {
  const inValue = new Set(largeNumbersIn(value));
  const all = [...new Set([...inValue, ...largeNumbersIn(schema)])].sort(byValue);
  if (all.some((one) => typeof one === 'bigint' && all.includes(Number(one)))) return null;
  const negative = all.filter((one) => one < 0).length;
  const standing = new Map(all.map((one, index) => [one, standIn(index - negative)]));
  const replaced = (part: Json): Json =>
    typeof part === 'bigint' || typeof part === 'number' ? (standing.get(part) ?? part) : part;
  const texts = new Map([...standing].map(([one, number]) => [String(number), String(one)]));
  return {
    value: mapLeaves(value, replaced),
    schema: standInSchema(schema, [...inValue], replaced),
    restored: (message) => message.replaceAll(/-?\d{16}/g, (digits) => texts.get(digits) ?? digits),
  };
}

/** Numbers from 0 up for positive integers, -1 and below for negative ones. */
const standIn = (rank: number): number => (rank < 0 ? -firstStandIn + 2 * (rank + 1) : firstStandIn + 2 * rank);

const byValue = (one: bigint | number, other: bigint | number): number => (one < other ? -1 : Number(one > other));

function* largeNumbersIn(part: Json): Generator<bigint | number> {
  if (typeof part === 'bigint') {
    yield part;
  } else if (typeof part === 'number') {
    if (isLarge(part)) yield part;
  } else if (typeof part === 'object' && part !== null) {
    for (const member of Object.values(part as Readonly<Record<string, Json>>)) yield* largeNumbersIn(member);
  }
}

/** Whether a value holds a number beyond 2^53, of either kind. */
export const holdsLargeNumber = (value: Json): boolean => largeNumbersIn(value).next().done !== true;

const isLarge = (number: number): boolean => Math.abs(number) > Number.MAX_SAFE_INTEGER;

/** The schema with numbers that stand for its large ones, and `multipleOf` decided for the large ones of the value. */
function standInSchema(part: Json, inValue: readonly (bigint | number)[], replaced: (part: Json) => Json): Json {
  if (Array.isArray(part)) return (part as readonly Json[]).map((item) => standInSchema(item, inValue, replaced));
  if (!isObject(part)) return replaced(part);
  const members = Object.entries(part).map(([name, member]): readonly [string, Json] => [
    name,
    dataKeywords.has(name) ? mapLeaves(member, replaced) : standInSchema(member, inValue, replaced),
  ]);
  const { multipleOf } = part;
  const isStep = (typeof multipleOf === 'number' || typeof multipleOf === 'bigint') && multipleOf > 0;
  if (!isStep || inValue.length === 0) return Object.fromEntries(members);
  const { multipleOf: step = null, allOf, ...rest } = Object.fromEntries(members);
  const multiples = inValue.filter((one) => isMultiple(one, multipleOf));
  const decided: Json = {
    if: { enum: inValue.map(replaced) },
    then: { enum: [`${multipleMark}${multipleOf}`, ...multiples.map(replaced)] },
    else: { multipleOf: step },
  };
  return { ...rest, allOf: [...(Array.isArray(allOf) ? (allOf as readonly Json[]) : []), decided] };
}

/** In decimal digits, as both are written. */
function isMultiple(value: bigint | number, step: bigint | number): boolean {
  const [one, other] = [decimal(value), decimal(step)];
  const exponent = Math.min(one.exponent, other.exponent);
  const whole = (of: typeof one): bigint => of.digits * 10n ** BigInt(of.exponent - exponent);
  return whole(one) % whole(other) === 0n;
}

function decimal(number: bigint | number): { readonly digits: bigint; readonly exponent: number } {
  const [, whole = '0', fraction = '', exponent = '0'] =
    /^(-?\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(number)) ?? [];
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/** The step that a value is no multiple of, where a message of the library says so in the words of this file. */
export const brokenStep = (message: string): string | null =>
  new RegExp(String.raw`\["(${multipleMark}[^"]+)"`).exec(message)?.[1] ?? null;
