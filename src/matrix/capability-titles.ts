import { excerpt } from '../chat/excerpt.js';
import type { CapabilityFamily, Suite } from '../suite/probe.js';
import { familyOf } from './capability-families.js';
import type { ReportCapability, ReportCell, ReportTitles } from './report-format.js';

export interface TitleSources {
  readonly families: readonly CapabilityFamily[];
  readonly suites: readonly Pick<Suite, 'name' | 'title'>[];
  readonly cells: readonly Pick<ReportCell, 'capability' | 'suite' | 'probe' | 'title'>[];
}

/**
 * What the suites call these capabilities and their families, in plain words. A probe that names no capability is one of
 * its own, SUITE.PROBE: it is called as the probe is, and its family as the suite. What nobody named is left out.
 */
export function titlesOf(
  capabilities: readonly Pick<ReportCapability, 'capability'>[],
  { families, suites, cells }: TitleSources,
): ReportTitles {
  const declared = new Map(families.map((family) => [family.name, family]));
  const bySuite = new Map(suites.map(({ name, title }) => [name, title]));
  const byProbe = new Map(
    cells.flatMap(({ capability, suite, probe, title }) =>
      capability === `${suite}.${probe}` ? [[capability, title] as const] : [],
    ),
  );
  const ids = [...new Set(capabilities.map(({ capability }) => capability))];
  const ofFamily = (family: string): string | undefined => declared.get(family)?.title ?? bySuite.get(family);
  const ofCapability = (id: string): string | undefined => {
    const { titles = {} } = declared.get(familyOf(id)) ?? {};
    return Object.hasOwn(titles, id) ? titles[id] : byProbe.get(id);
  };
  return { families: named([...new Set(ids.map(familyOf))], ofFamily), capabilities: named(ids, ofCapability) };
}

/** Characters: a title heads rows and sections. The cells of a probe have it in full. */
const longest = 200;

/** A title that only repeats the id tells nothing. */
function named(ids: readonly string[], titleOf: (id: string) => string | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(
    ids.flatMap((id) => {
      const title = titleOf(id);
      return title === undefined || title === id ? [] : [[id, excerpt(title, longest)] as const];
    }),
  );
}
