import type { Atom } from './atom.js';
import { isNumeric, type Labelled } from './labelled.js';

/** A longer list is hard to read. */
const mostLabels = 6;

/**
 * Every statement about an axis that a condition may contain. None says no more than that a request has the axis, or does
 * not have it: that only tells probes apart, which are better named.
 */
export function atomsOf(axis: string, judged: readonly Labelled[], labels: readonly string[]): readonly Atom[] {
  const isShared = judged.some((one) => one.labels[axis] === undefined);
  const atoms = labels.every(isNumeric) ? numericAtoms(axis, labels, isShared) : listAtoms(axis, judged, labels);
  const failing = new Set(judged.flatMap((one) => (one.good === false ? (one.labels[axis] ?? []) : [])));
  return atoms.filter((atom) => {
    if (atom.kind === 'outside') return !isShared || [...failing].some((label) => !atom.labels.includes(label));
    // What a single label does is worth saying even where it is the only one.
    return atom.kind !== 'in' || atom.labels.length < labels.length || (isShared && labels.length === 1);
  });
}

function listAtoms(axis: string, judged: readonly Labelled[], labels: readonly string[]): readonly Atom[] {
  const sets = labels.length <= mostLabels ? subsetsOf(labels) : suggestedSets(axis, judged, labels);
  return sets.flatMap((set): Atom[] => {
    if (set.length === 0 || set.length > mostLabels) return [];
    const isAll = set.length === labels.length;
    return [{ axis, kind: 'in', labels: set }, ...(isAll ? [] : [{ axis, kind: 'outside', labels: set } as const])];
  });
}

/** Bounds, single values, and the values between two others. */
function numericAtoms(axis: string, labels: readonly string[], isShared: boolean): Atom[] {
  const sorted = labels.toSorted((a, b) => Number(a) - Number(b));
  const runs = sorted.flatMap((_, from) =>
    [1, 2, 3].flatMap((length) => (from + length > sorted.length ? [] : [sorted.slice(from, from + length)])),
  );
  return [
    ...sorted.slice(1).map((bound): Atom => ({ axis, kind: 'below', bound })),
    ...sorted.slice(0, -1).map((bound): Atom => ({ axis, kind: 'above', bound })),
    ...runs.map((run): Atom => ({ axis, kind: 'in', labels: run })),
    ...(isShared ? [] : sorted.map((label): Atom => ({ axis, kind: 'outside', labels: [label] }))),
  ];
}

function subsetsOf(labels: readonly string[]): string[][] {
  return labels.reduce<string[][]>((sets, label) => [...sets, ...sets.map((set) => [...set, label])], [[]]);
}

/** There are too many subsets of a long axis: single labels, and what passes or fails as a whole beside another label. */
function suggestedSets(axis: string, judged: readonly Labelled[], labels: readonly string[]): string[][] {
  const contexts = new Set(
    judged.flatMap((one) =>
      Object.entries(one.labels).flatMap(([name, label]) => (name === axis ? [] : [`${name}=${label}`])),
    ),
  );
  const within = [judged, ...[...contexts].map((context) => judged.filter((one) => hasPair(one, context)))];
  const sets = within.flatMap((some) => {
    const of = (good: boolean): Set<string | undefined> =>
      new Set(some.flatMap((one) => (one.good === good ? [one.labels[axis]] : [])));
    const [good, bad] = [of(true), of(false)];
    return [
      labels.filter((label) => good.has(label)),
      labels.filter((label) => !good.has(label)),
      labels.filter((label) => bad.has(label)),
      labels.filter((label) => !bad.has(label)),
    ];
  });
  const distinct = new Map([...labels.map((label) => [label]), ...sets].map((set) => [set.join(), set]));
  return [...distinct.values()];
}

function hasPair({ labels }: Labelled, pair: string): boolean {
  const at = pair.indexOf('=');
  return labels[pair.slice(0, at)] === pair.slice(at + 1);
}
