import { type Atom, atomsOf, type Labelled } from './atom.js';
import { isJudged } from './judged.js';
import type { ReportCell } from './report.js';

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
 * Tried in this order, so that the simplest wins: one axis; the probe; two things that must both be right; two things
 * that must not come together.
 */
export function conditionOf(cells: readonly ReportCell[]): Condition | null {
  const judged = cells.filter(isJudged).map(labelled);
  const good = judged.filter((cell) => cell.good);
  const bad = judged.filter((cell) => !cell.good);
  if (good.length === 0 || bad.length === 0) return null;
  const named = [...new Set(judged.flatMap((cell) => Object.keys(cell.labels)))].filter((axis) => axis !== probeAxis);
  const axes = named.filter((axis) => isVaried(axis, judged) || bad.every(({ labels }) => labels[axis] !== undefined));

  const ofAxes = smallestFirst(axes.flatMap((axis) => atomsOf(axis, good, bad)));
  const all = [...ofAxes, ...atomsOf(probeAxis, good, bad)];
  const excludesBad = (atoms: readonly Atom[]) => bad.every((cell) => atoms.some((atom) => !atom.holds(cell)));
  const needed = [...all.map((atom) => [atom]), ...pairs(all)].find(excludesBad);
  if (needed) return { text: bothNeeded(needed), settings: settingsFor(needed, good), namesProbe: naming(needed) };

  const ofBad = smallestFirst([...axes, probeAxis].flatMap((axis) => atomsOf(axis, bad, good)));
  const readable = ofBad.filter((atom) => atom.plain !== null);
  const sparesGood = (atoms: readonly Atom[]) => good.every((cell) => atoms.some((atom) => !atom.holds(cell)));
  const harmful = pairs(readable).find(sparesGood);
  if (!harmful) return null;
  return {
    text: `not with ${harmful.map((atom) => atom.plain).join(' and ')} together`,
    settings: settingsFor(
      harmful.map((atom) => ({ ...atom, bound: null })),
      good,
    ),
    namesProbe: naming(harmful),
  };
}

const naming = (atoms: readonly Atom[]): boolean => atoms.some(({ axis }) => axis === probeAxis);

function labelled(cell: ReportCell): Labelled {
  return { labels: { ...cell.point, [probeAxis]: `${cell.suite}/${cell.probe}` }, good: cell.verdict === 'pass' };
}

/** Where only cells that pass have an axis, and one label on it, it says no more than the name of their probe. */
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
