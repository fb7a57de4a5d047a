/**
 * Passes on values in the order of their numbers, from 0, whatever the order in which they arrive: one that is early
 * waits for those before it. Every number must arrive exactly once.
 */
export function inOrder<Value>(passOn: (value: Value) => void): (number: number, value: Value) => void {
  const early = new Map<number, { readonly value: Value }>();
  let next = 0;
  return (number, value) => {
    if (number !== next) {
      early.set(number, { value });
      return;
    }
    next += 1;
    passOn(value);
    for (let due = early.get(next); due !== undefined; due = early.get(next)) {
      early.delete(next);
      next += 1;
      passOn(due.value);
    }
  };
}
