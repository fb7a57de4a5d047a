import { excerpt } from '../chat/excerpt.js';
import type { CapabilityFamily, Suite } from '../suite/probe.js';
import type { Report, ReportCapability, ReportCell } from './report-format.js';

/** The family of a capability: its id up to the first dot. */
export function familyOf(capability: string): string {
  return capability.split('.', 1)[0] ?? capability;
}

/** The families of these capabilities: in the order that suites declare, then the others in order of appearance. */
function orderedFamilies(capabilities: readonly string[], declared: readonly CapabilityFamily[]): string[] {
  const present = new Set(capabilities.map(familyOf));
  const ordered = declared.map(({ name }) => name).filter((name) => present.has(name));
  return [...new Set([...ordered, ...present])];
}

/** The columns of the overview: a family, and those that are shown in its column. */
function columnsOf(capabilities: readonly string[], declared: readonly CapabilityFamily[]): Report['columns'] {
  const known = new Map(declared.map((family) => [family.name, family]));
  const present = orderedFamilies(capabilities, declared);
  const columns = new Map<string, string[]>();
  for (const family of present) {
    const column = known.get(family)?.column ?? family;
    columns.set(column, [...(columns.get(column) ?? []), family]);
  }
  return orderedFamilies([...columns.keys()], declared).map((id) => ({
    id,
    title: known.get(id)?.title ?? id.replaceAll('_', ' '),
    families: columns.get(id) ?? [],
  }));
}

interface GroupSources {
  readonly families: readonly CapabilityFamily[];
  readonly suites: readonly Pick<Suite, 'name' | 'title'>[];
  readonly cells: readonly Pick<ReportCell, 'capability' | 'suite' | 'probe' | 'title'>[];
}

/** How a report groups these capabilities, and what the suites call them. */
export function groupsOf(
  capabilities: readonly Pick<ReportCapability, 'capability'>[],
  sources: GroupSources,
): Pick<Report, 'families' | 'columns' | 'titles'> {
  const ids = [...new Set(capabilities.map(({ capability }) => capability))];
  const { families } = sources;
  return {
    families: orderedFamilies(ids, families),
    columns: columnsOf(ids, families),
    titles: titlesOf(ids, sources),
  };
}

/**
 * Names of these capabilities and their families from the suites, in plain words. A probe that names no capability is
 * one of its own, SUITE.PROBE: it is called as the probe is, and its family as the suite. What nobody named is left
 * out.
 */
function titlesOf(ids: readonly string[], { families, suites, cells }: GroupSources): Report['titles'] {
  const declared = new Map(families.map((family) => [family.name, family]));
  const bySuite = new Map(suites.map(({ name, title }) => [name, title]));
  const byProbe = new Map(
    cells.flatMap(({ capability, suite, probe, title }) =>
      capability === `${suite}.${probe}` ? [[capability, title] as const] : [],
    ),
  );
  const ofFamily = (family: string): string | undefined => declared.get(family)?.title ?? bySuite.get(family);
  const ofCapability = (id: string): string | undefined => {
    const { titles = {} } = declared.get(familyOf(id)) ?? {};
    return Object.hasOwn(titles, id) ? titles[id] : byProbe.get(id);
  };
  return {
    families: titlesById([...new Set(ids.map(familyOf))], ofFamily),
    capabilities: titlesById(ids, ofCapability),
  };
}

/** Characters: a title heads rows and sections. The cells of a probe have it in full. */
const maxTitleLength = 200;

/** A title that only repeats the id tells nothing. */
function titlesById(
  ids: readonly string[],
  titleOf: (id: string) => string | undefined,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    ids.flatMap((id) => {
      const title = titleOf(id);
      return title === undefined || title === id ? [] : [[id, excerpt(title, maxTitleLength)] as const];
    }),
  );
}
