import { isJudged } from '../../cell/verdict.js';
import type { ReportCell } from '../report-format.js';
import { type Clause, excludes } from './atom.js';
import { clausesFor, explain } from './explanation.js';
import { judgedPoints } from './judged-points.js';
import { labelsOf, type Labelled, type Labels, probeAxis } from './labelled.js';
import { conditionText, type AxisLabels } from './wording.js';

export { isNumeric } from './labelled.js';

/** When a capability can be relied on: in words, and as the settings of a request that meets the condition. */
export interface Condition {
  readonly text: string;
  readonly settings: Readonly<Record<string, string>>;
  /** It names a probe, so no request can meet it: worth knowing, but not to be relied on. */
  readonly namesProbe: boolean;
}

export type ProbePoint = Pick<ReportCell, 'point' | 'suite' | 'probe'>;

/** What else is known of the cells of a capability. */
interface ConditionContext {
  /** The searched axis of each cell that searches for a threshold, by key. */
  readonly findAxes?: ReadonlyMap<string, string>;
  /** Points of the same probes that have no cells. */
  readonly further?: () => readonly ProbePoint[];
}

/**
 * The shortest explanation of why some cells pass and others do not, with what it leaves open; null if none is short
 * enough.
 */
export function conditionOf(
  cells: readonly ReportCell[],
  { findAxes = new Map(), further = () => [] }: ConditionContext = {},
): Condition | null {
  const judged = judgedPoints(cells.filter(isJudged), findAxes);
  if (new Set(judged.flatMap(({ good }) => good ?? [])).size < 2) return null;
  const unasked = [...cells.filter((cell) => !isJudged(cell)), ...further()].map(labelsOf);
  const explanation = explain(judged, unasked);
  if (explanation === null) return null;
  const { clauses } = explanation;
  const open = unasked.filter((_, index) => explanation.unasked[index] === null);
  const known = unasked.filter((_, index) => explanation.unasked[index] !== null);
  const unknown = open.length === 0 ? [] : (clausesFor(open, judged, known) ?? 'all');
  return {
    text: conditionText(clauses, unknown, axisLabels([...judged.map(({ labels }) => labels), ...unasked])),
    settings: settingsFor(clauses, judged),
    namesProbe: clauses.flat().some(({ axis }) => axis === probeAxis),
  };
}

function axisLabels(points: readonly Labels[]): AxisLabels {
  const all = new Map<string, Set<string>>();
  for (const labels of points) {
    for (const [axis, label] of Object.entries(labels)) all.set(axis, (all.get(axis) ?? new Set()).add(label));
  }
  return new Map([...all].map(([axis, labels]) => [axis, [...labels]]));
}

/** The labels that the condition is about, of a point that passes; of a bound, the label where it stands. */
function settingsFor(clauses: readonly Clause[], judged: readonly Labelled[]): Record<string, string> {
  const axes = new Set(clauses.flat().flatMap(({ axis }) => (axis === probeAxis ? [] : [axis])));
  const bounds = new Map(
    clauses.flatMap((clause) => {
      const [atom] = clause;
      return clause.length === 1 && (atom?.kind === 'below' || atom?.kind === 'above')
        ? [[atom.axis, atom.bound] as const]
        : [];
    }),
  );
  const good = judged.filter((one) => one.good === true && !clauses.some((clause) => excludes(clause, one.labels)));
  const shown = good.find(({ labels }) => [...axes].every((axis) => labels[axis] !== undefined)) ?? good[0];
  return Object.fromEntries(
    [...axes].flatMap((axis) => {
      const label = bounds.get(axis) ?? shown?.labels[axis];
      return label === undefined ? [] : [[axis, label]];
    }),
  );
}
