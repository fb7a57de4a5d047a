import type { CapabilityMap } from './capability-map.js';

const known = 'chatspec-capabilities/1';

export function checked(value: unknown): CapabilityMap {
  const { format, models, needs, capabilities } = (value ?? {}) as Partial<CapabilityMap>;
  if (format === known && [models, needs, capabilities].every(Array.isArray)) return value as CapabilityMap;
  const hint = value instanceof Promise ? ': await it' : '';
  throw new TypeError(`not a capability map (${known})${hint}`);
}
