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

/** The columns of the overview: a family, and those that are shown in its column. */
export function columnsOf(
  capabilities: readonly string[],
  declared: readonly CapabilityFamily[],
): { id: string; title: string; families: string[] }[] {
  const known = new Map(declared.map((family) => [family.name, family]));
  const present = familiesOf(capabilities, declared);
  const columns = new Map<string, string[]>();
  for (const family of present) {
    const column = known.get(family)?.column ?? family;
    columns.set(column, [...(columns.get(column) ?? []), family]);
  }
  return familiesOf([...columns.keys()], declared).map((id) => ({
    ...{ id, title: known.get(id)?.title ?? id.replaceAll('_', ' ') },
    families: columns.get(id) ?? [],
  }));
}
