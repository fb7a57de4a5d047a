import { isJudged } from '../../cell/verdict.js';
import { sumOf, type Count } from '../../stats/count.js';
import type { ReportCell } from '../report-format.js';
import { askedUpTo } from './asked-up-to.js';
import { type Clause, excludes } from './atom.js';
import { clausesFor, explain, type Explanation } from './explanation.js';
import { judgedPoints } from './judged-points.js';
import { passesAtTimes } from './lucky-passes.js';
import type { KindOf } from './same-kind.js';
import { mayBelongTo } from './told-apart.js';
import { labelsOf, type Labelled, type Labels, probeAxis } from './labelled.js';
import { conditionText, type AxisLabels, type Unknown } from './wording.js';

export { isNumeric } from './labelled.js';

/** When a capability can be relied on: in words, and as the settings of a request that meets the condition. */
export interface Condition {
  readonly text: string;
  readonly settings: Readonly<Record<string, string>>;
  /** By axis with a lower bound: the largest value that was asked, if nothing larger is known to fail. */
  readonly askedUpTo: Readonly<Record<string, number>>;
  /** The trials of what was asked and of which it says nothing; null: there are none, or no words for these alone. */
  readonly notKnown: Count | null;
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
  /** All cells of the model; default: those of the capability. */
  readonly ofModel?: readonly ReportCell[];
  /** By what other cells of the model are asked alike. */
  readonly kindOf?: KindOf;
}

/**
 * The shortest explanation of why some cells pass and others do not, with what it leaves open; null if none is short
 * enough.
 */
export function conditionOf(
  cells: readonly ReportCell[],
  { findAxes = new Map(), further = () => [], ofModel = cells, kindOf }: ConditionContext = {},
): Condition | null {
  const judged = judgedPoints(cells.filter(isJudged), findAxes, ofModel, kindOf);
  if (new Set(judged.flatMap(({ good }) => good ?? [])).size < 2) return null;
  const unasked = [...cells.filter((cell) => !isJudged(cell)), ...further()].map(labelsOf);
  const explanation = explain(judged, unasked);
  if (explanation === null) return null;
  const unknown = unknownIn(explanation, judged, unasked);
  if (unknown === null) return null;
  const labels = axisLabels([...judged.map((one) => one.labels), ...unasked]);
  const open = new Set([...explanation.lucky, ...explanation.unsure]);
  const sure = judged.filter((one) => one.good === true && !open.has(one));
  const clauses = explanation.clauses.map((clause) => withoutPraise(clause, sure, { judged, labels }));
  return {
    text: conditionText(clauses, unknown, labels),
    settings: settingsFor(clauses, judged),
    askedUpTo: askedUpTo([...clauses, ...unknown.clauses], judged),
    notKnown: notKnown(unknown, judged),
    namesProbe: clauses.flat().some(({ axis }) => axis === probeAxis),
  };
}

function notKnown({ clauses, onlyAsked }: Unknown, judged: readonly Labelled[]): Count | null {
  if (onlyAsked) return null;
  const open = judged.filter(({ labels }) => clauses.some((clause) => excludes(clause, labels)));
  const counted = sumOf(open.flatMap(({ trials }) => trials ?? []));
  return counted.total === 0 ? null : counted;
}

/** In words what the explanation leaves open; null: there are no few words for judged points among it. */
function unknownIn(explanation: Explanation, judged: readonly Labelled[], unasked: readonly Labels[]): Unknown | null {
  const { lucky, unsure } = explanation;
  const isOpen = (labels: Labels, index: number): boolean =>
    explanation.unasked[index] === null ||
    (explanation.unasked[index] === true && explanation.clauses.some((clause) => mayBelongTo(clause, labels, judged)));
  const points = unasked.filter(isOpen);
  const known = unasked.filter((labels, index) => !isOpen(labels, index));
  const open = new Set([...lucky, ...unsure, ...misjudged(judged, explanation.clauses)]);
  const isOnlyProbes = explanation.clauses.every((clause) => clause.every(({ axis }) => axis === probeAxis));
  const comeAndGo = passesAtTimes(judged.filter(({ good }) => good === false));
  // Nothing is known to pass. Which labels fail is known even so, unless failures come and go.
  if (comeAndGo && !isOnlyProbes && judged.every((one) => one.good !== true || open.has(one))) return null;
  const sure = judged.filter((one) => !open.has(one));
  const asked = [...open].map(({ labels }) => labels);
  const together = clausesFor([...asked, ...points], sure, known);
  if (together !== null) return { clauses: together, onlyAsked: false };
  const ofAsked = clausesFor(asked, sure, []);
  return ofAsked && { clauses: ofAsked, onlyAsked: true };
}

/** "only with a=x" says that x passes: where that is not sure of any point, the clause names the labels that fail. */
function withoutPraise(
  clause: Clause,
  sure: readonly Labelled[],
  { judged, labels }: { readonly judged: readonly Labelled[]; readonly labels: AxisLabels },
): Clause {
  return clause.map((atom) => {
    if (atom.kind !== 'outside') return atom;
    if (sure.some((one) => atom.labels.includes(one.labels[atom.axis] ?? ''))) return atom;
    // Such a list is not true of a request without the axis.
    if (judged.some((one) => excludes(clause, one.labels) && one.labels[atom.axis] === undefined)) return atom;
    const others = (labels.get(atom.axis) ?? []).filter((label) => !atom.labels.includes(label));
    return { axis: atom.axis, kind: 'in', labels: others };
  });
}

/** Points of which too little is known to ask for an explanation, but not so little that anything may be said. */
function misjudged(judged: readonly Labelled[], clauses: readonly Clause[]): readonly Labelled[] {
  return judged.filter(
    ({ labels, good, leansGood }) => good === null && leansGood === clauses.some((clause) => excludes(clause, labels)),
  );
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
