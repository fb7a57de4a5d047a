/**
 * Hands on in the order of their numbers, from 0, what comes in any order: what comes early waits for those before it.
 * Every number must come once.
 */
export function inTurn<Value>(take: (value: Value) => void): (number: number, value: Value) => void {
  const early = new Map<number, { readonly value: Value }>();
  let next = 0;
  return (number, value) => {
    early.set(number, { value });
    for (let due = early.get(next); due !== undefined; due = early.get(next)) {
      early.delete(next);
      next += 1;
      take(due.value);
    }
  };
}
