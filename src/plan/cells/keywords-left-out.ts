import type { Probe, Suite } from '../../suite/probe.js';
import type { Cell } from '../ticket.js';

/** Keywords of JSON Schema that suites have probes for, and that a plan does not ask. */
export interface KeywordsLeftOut {
  readonly keywords: readonly string[];
  /** A tag that all their probes have; null: they have none in common. */
  readonly tag: string | null;
}

/**
 * What a plan that asks a composite document leaves out: that the document is enforced says nothing of other keywords. null
 * where all are asked, and of a plan without such a document, which says by its cells what it asks.
 */
export function keywordsLeftOut(
  suites: readonly Partial<Pick<Suite, 'probes'>>[],
  cells: readonly Pick<Cell, 'probe'>[],
): KeywordsLeftOut | null {
  const asked = new Set(cells.map(({ probe }) => nameOf(probe)));
  const split = new Set(cells.flatMap(({ probe }) => probe.split.map((one) => one.probe)));
  if (split.size === 0) return null;
  const all = suites.flatMap(({ probes = [] }) => probes).filter(({ enforce }) => enforce !== null);
  const known = (probe: Probe): boolean => asked.has(nameOf(probe)) || split.has(nameOf(probe));
  const covered = new Set(all.filter(known).map(({ enforce }) => enforce?.keyword));
  const missing = all.filter(
    (probe) => !known(probe) && !covered.has(probe.enforce?.keyword) && probe.split.length === 0,
  );
  if (missing.length === 0) return null;
  const keywords = [...new Set(missing.flatMap(({ enforce }) => enforce?.keyword ?? []))].sort();
  const [first] = missing;
  return { keywords, tag: first?.tags.find((tag) => missing.every(({ tags }) => tags.includes(tag))) ?? null };
}

const nameOf = ({ suite, name }: Probe): string => `${suite}/${name}`;
