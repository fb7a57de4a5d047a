import type { Probe, Suite } from '../../suite/probe.js';
import type { Cell, Plan } from '../ticket.js';

/** Keywords of JSON Schema that suites have probes for, and that a plan does not ask. */
interface KeywordsLeftOut {
  readonly keywords: readonly string[];
  /** A tag that all their probes have; null: they have none in common. */
  readonly tag: string | null;
}

interface AskedPlan extends Pick<Plan, 'lastFailed'> {
  readonly tickets: readonly { readonly cell: Pick<Cell, 'probe'> }[];
}

/**
 * What a plan that asks a composite document leaves out: that the document is enforced says nothing of other keywords. null
 * where all are asked, and of a plan without such a document, which says by its cells what it asks, as does one of the cells
 * that failed last.
 */
export function keywordsLeftOut(
  suites: readonly Partial<Pick<Suite, 'probes'>>[],
  { tickets, lastFailed }: AskedPlan,
): KeywordsLeftOut | null {
  if (lastFailed !== undefined) return null;
  const cells = tickets.map(({ cell }) => cell);
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
