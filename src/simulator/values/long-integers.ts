import { mapLeaves, type Json, holdsLongInteger } from '../../json/json.js';

/** Gives and takes back the plain numbers by which the libraries of this folder know integers beyond 2^53. */
interface PlainNumbers {
  readonly plain: (value: Json) => Json;
  /** The value with the integers that its plain numbers stand for. */
  readonly whole: (value: Json) => Json;
}

const same: PlainNumbers = { plain: (value) => value, whole: (value) => value };

/** Room between two integers of a schema, for others that lie between them. */
const gap = 4;

/** In the order of the integers in a schema, so that its bounds and choices keep their meaning. */
export function plainNumbers(schema: Json): PlainNumbers {
  const longs = [...new Set(longIntegersIn(schema))].sort((one, other) => (one < other ? -1 : 1));
  const positive = longs.filter((one) => one > 0n);
  const negative = longs.filter((one) => one < 0n).reverse();
  const rankOf = (size: bigint, sizes: readonly bigint[]): number => {
    const below = sizes.filter((one) => one < size).length;
    return 2 ** 53 + gap * (below + 1) - (sizes.includes(size) ? 0 : gap / 2);
  };
  const numberOf = (value: bigint): number =>
    value > 0n
      ? rankOf(value, positive)
      : -rankOf(
          -value,
          negative.map((one) => -one),
        );
  const wholes = new Map(longs.map((one) => [numberOf(one), one]));
  const plain = (value: Json): Json =>
    holdsLongInteger(value) ? mapLeaves(value, (one) => (typeof one === 'bigint' ? numberOf(one) : one)) : value;
  if (longs.length === 0) return { ...same, plain };
  return {
    plain,
    whole: (value) => mapLeaves(value, (one) => (isNumeric(one) ? (wholes.get(Number(one)) ?? one) : one)),
  };
}

const isNumeric = (value: Json): value is number | bigint => typeof value === 'number' || typeof value === 'bigint';

function* longIntegersIn(value: Json): Generator<bigint> {
  if (typeof value === 'bigint') {
    yield value;
  } else if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value as Readonly<Record<string, Json>>)) yield* longIntegersIn(part);
  }
}
