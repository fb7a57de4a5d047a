import type { Path } from '../files/source.js';
import { isObject, type Json } from '../json/json.js';

/** The values at a place of a body; the step `*` is any place in a list. */
export function* valuesAt(
  here: Json,
  [step, ...rest]: readonly string[],
  path: Path = [],
): Generator<{ readonly path: Path; readonly value: Json }> {
  if (step === undefined) {
    yield { path, value: here };
  } else if (step === '*') {
    if (!Array.isArray(here)) return;
    for (const [index, item] of (here as readonly Json[]).entries()) yield* valuesAt(item, rest, [...path, index]);
  } else if (isObject(here) && Object.hasOwn(here, step)) {
    yield* valuesAt(here[step] ?? null, rest, [...path, step]);
  }
}
