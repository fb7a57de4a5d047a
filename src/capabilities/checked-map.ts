import type { CapabilityMap } from './capability-map.js';

const known = 'chatspec-capabilities/1';

/** @param source where it was read: a path or an address; undefined for what a program gave */
export function checked(value: unknown, source?: string): CapabilityMap {
  const { format, models, needs, capabilities } = (value ?? {}) as Partial<CapabilityMap>;
  if (format === known && [models, needs, capabilities].every(Array.isArray)) return value as CapabilityMap;
  const hint = value instanceof Promise ? ': await it' : otherFormat(format);
  throw new TypeError(`${source === undefined ? '' : `${source}: `}not a capability map (${known})${hint}`);
}

function otherFormat(format: unknown): string {
  if (typeof format !== 'string' || format === known) return '';
  const other = `; its format is "${format.slice(0, 40)}"`;
  if (format.startsWith('chatspec-report/')) return `${other}: name the capabilities.json beside it`;
  return format.startsWith('chatspec-capabilities/') ? `${other}: read it with that version of chatspec` : other;
}
