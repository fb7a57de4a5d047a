import { type Atom, atomsOf, type Labelled } from './atom.js';
import { isJudged } from '../../cell/verdict.js';
import type { ReportCell } from '../report-format.js';

/** When a capability can be relied on: in words, and as the settings of a request that keeps to it. */
export interface Condition {
  readonly text: string;
  readonly settings: Readonly<Record<string, string>>;
  /** It names a probe, which no request can keep to: worth knowing, nothing to rely on. */
  readonly namesProbe: boolean;
}

/** Stands for the probe among the axes. */
const probeAxis = 'probe';

/**
 * The smallest explanation of why some cells pass and others do not (fail or are flaky), or null where none fits.
 */
export function conditionOf(cells: readonly ReportCell[]): Condition | null {
  const [smallest] = explanationsOf(cells.filter(isJudged).map(labelled));
  if (smallest === undefined) return null;
  const { text, settings, atoms } = smallest;
  return { text, settings, namesProbe: atoms.some(({ axis }) => axis === probeAxis) };
}

/** Something that is true of all good cells and of no bad one. */
export interface Explanation extends Pick<Condition, 'text' | 'settings'> {
  readonly atoms: readonly Atom[];
  /** What it says of a cell that has not been asked. */
  readonly isGood: (cell: Pick<Labelled, 'labels'>) => boolean;
}

/**
 * Everything of at most two parts that explains the cells, lazily, the smallest first: one axis; the probe; two things
 * that must both be right; two things that must not come together.
 */
export function* explanationsOf(judged: readonly Labelled[]): Generator<Explanation, undefined> {
  const good = judged.filter((cell) => cell.good);
  const bad = judged.filter((cell) => !cell.good);
  if (good.length === 0 || bad.length === 0) return;
  const named = [...new Set(judged.flatMap((cell) => Object.keys(cell.labels)))].filter((axis) => axis !== probeAxis);
  const has =
    (axis: string) =>
    ({ labels }: Labelled): boolean =>
      labels[axis] !== undefined;
  const axes = named.filter((axis) => (isVaried(axis, judged) ? bad.some(has(axis)) : bad.every(has(axis))));

  const ofAxes = smallestFirst(axes.flatMap((axis) => atomsOf(axis, good, bad)));
  const ofGood = [...ofAxes, ...atomsOf(probeAxis, good, bad)];
  const holdTogether = (atoms: readonly Atom[]) => (cell: Pick<Labelled, 'labels'>) =>
    atoms.every((atom) => atom.holds(cell));
  for (const atoms of [...ofGood.map((atom) => [atom]), ...pairs(ofGood)]) {
    const isGood = holdTogether(atoms);
    if (bad.some(isGood)) continue;
    yield { text: bothNeeded(atoms), settings: settingsFor(atoms, good), atoms, isGood };
  }

  const ofBad = smallestFirst([...axes, probeAxis].flatMap((axis) => atomsOf(axis, bad, good)));
  for (const atoms of pairs(ofBad.filter((atom) => atom.plain !== null))) {
    const isBad = holdTogether(atoms);
    if (good.some(isBad)) continue;
    const free = atoms.map((atom) => ({ ...atom, bound: null }));
    const text = `not with ${atoms.map((atom) => atom.plain).join(' and ')} together`;
    const isGood = (cell: Pick<Labelled, 'labels'>) => !isBad(cell);
    yield { text, settings: settingsFor(free, good), atoms, isGood };
  }
}

function labelled(cell: ReportCell): Labelled {
  return { labels: { ...cell.point, [probeAxis]: `${cell.suite}/${cell.probe}` }, good: cell.verdict === 'pass' };
}

/** An axis with one label, or one that only cells that pass have, says no more than the name of their probe. */
function isVaried(axis: string, cells: readonly Labelled[]): boolean {
  return new Set(cells.flatMap(({ labels }) => labels[axis] ?? [])).size > 1;
}

function smallestFirst(atoms: readonly Atom[]): Atom[] {
  return atoms.toSorted((a, b) => a.size - b.size);
}

/** Pairs over different axes; those that are small together come first. */
function pairs(atoms: readonly Atom[]): Atom[][] {
  const found: Atom[][] = [];
  for (const [index, first] of atoms.entries()) {
    for (const second of atoms.slice(index + 1)) if (second.axis !== first.axis) found.push([first, second]);
  }
  return found.sort((a, b) => weight(a) - weight(b));
}

function weight(atoms: readonly Atom[]): number {
  return atoms.reduce((sum, atom) => sum + atom.size + (atom.axis === probeAxis ? mildDislike : 0), 0);
}

/** Axes explain better than the names of probes. */
const mildDislike = 0.5;

function bothNeeded(atoms: readonly Atom[]): string {
  const [first, second] = atoms.map((atom) => atom.text.replace(/\bprobe=/, 'probe ').replace(/\bprobe: /, 'probes '));
  if (second === undefined) return first ?? '';
  const only = 'only with ';
  return first?.startsWith(only) && second.startsWith(only)
    ? `${first} and ${second.slice(only.length)}`
    : `${first ?? ''} and ${second}`;
}

function settingsFor(atoms: readonly Atom[], good: readonly Labelled[]): Record<string, string> {
  const shown = good.find((cell) => atoms.every((atom) => cell.labels[atom.axis] !== undefined)) ?? good[0];
  const settings: Record<string, string> = {};
  for (const atom of atoms) {
    const label = atom.bound ?? shown?.labels[atom.axis];
    if (label !== undefined && atom.axis !== probeAxis) settings[atom.axis] = label;
  }
  return settings;
}
