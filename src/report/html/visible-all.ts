import { visible } from '../text/escape.js';

/** A copy of plain data in which no text hides or reorders anything. */
export function visibleAll<T>(value: T): T {
  return mapped(value) as T;
}

function mapped(value: unknown): unknown {
  if (typeof value === 'string') return visible(value);
  if (Array.isArray(value)) return value.map(mapped);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapped(member)]));
  }
  return value;
}
