import { isObject, type Json } from './json.js';

/** The unescaped steps of an RFC 6901 JSON Pointer; throws a TypeError for any other text. */
export function pointerSteps(pointer: string): string[] {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) throw new TypeError(`a JSON Pointer begins with "/": ${pointer}`);
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value at the steps, or undefined. */
export function at(value: Json, steps: readonly string[]): Json | undefined {
  let here: Json | undefined = value;
  for (const step of steps) {
    if (Array.isArray(here)) {
      here = (here as readonly Json[])[Number(step)];
    } else if (isObject(here) && Object.hasOwn(here, step)) {
      here = here[step];
    } else {
      return undefined;
    }
  }
  return here;
}

/** A copy with `replacement` at the steps (missing objects are created); undefined removes the member. */
export function withValueAt(value: Json, steps: readonly string[], replacement: Json | undefined): Json {
  const [step, ...rest] = steps;
  if (step === undefined) return replacement ?? null;
  if (Array.isArray(value)) {
    return (value as readonly Json[]).map((item, index) =>
      index === Number(step) ? withValueAt(item, rest, replacement) : item,
    );
  }
  const members = new Map(isObject(value) ? Object.entries(value) : []);
  if (rest.length === 0 && replacement === undefined) {
    members.delete(step);
  } else {
    members.set(
      step,
      rest.length === 0 && replacement !== undefined
        ? replacement
        : withValueAt(members.get(step) ?? {}, rest, replacement),
    );
  }
  return Object.fromEntries(members);
}
