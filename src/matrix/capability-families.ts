import type { CapabilityFamily } from '../suite/probe.js';

/** The family of a capability: its id up to the first dot. */
export function familyOf(capability: string): string {
  return capability.split('.', 1)[0] ?? capability;
}

/** The families of these capabilities: in the order that suites declare, then the others in order of appearance. */
export function familiesOf(capabilities: readonly string[], declared: readonly CapabilityFamily[]): string[] {
  const present = new Set(capabilities.map(familyOf));
  const ordered = declared.map(({ name }) => name).filter((name) => present.has(name));
  return [...new Set([...ordered, ...present])];
}
