import { type Atom, type Clause, costOf, isTrueOf, wordiness } from './atom.js';
import { atomsOf } from './axis-atoms.js';
import { boxesOf, type Placed } from './boxes.js';
import { type Labelled, type Labels, probeAxis } from './labelled.js';
import { isProven, priceOfLuck } from './lucky-passes.js';
import type { Bits, Covering } from './shortest-cover.js';

/** A clause that may be part of an explanation: no good point is among those that it excludes, unless it passes by luck. */
export interface Candidate extends Covering {
  readonly clause: Clause;
  readonly cost: number;
  /** The same where each label of a list counts: each may fail for a reason of its own. */
  readonly costOfLabels: number;
}

/** What clauses are made from. The points are the judged ones, and after them those that were not asked. */
export interface Points {
  readonly judged: readonly Labelled[];
  readonly all: readonly Labels[];
  readonly good: Bits;
  readonly bad: Bits;
  /** Good points whose passes are no luck. */
  readonly proven: Bits;
}

export function pointsOf(judged: readonly Labelled[], unasked: readonly Labels[]): Points {
  const bits = (good: boolean): Bits => bitsWhere(judged, (one) => one.good === good);
  return {
    ...{ judged, all: [...judged.map(({ labels }) => labels), ...unasked], good: bits(true), bad: bits(false) },
    proven: bitsWhere(judged, (one) => one.good === true && isProven(one)),
  };
}

export function bitsWhere<T>(points: readonly T[], holds: (point: T, index: number) => boolean): Bits {
  return points.reduce((bits, point, index) => (holds(point, index) ? bits | (1n << BigInt(index)) : bits), 0n);
}

/**
 * Every clause of one or two axes that excludes some bad point and no good one; of three, those of single labels and the
 * widest lists.
 */
export function candidatesAmong(points: Points): readonly Candidate[] {
  const { judged, all, good, bad } = points;
  const unasked = bitsWhere(all, (_, index) => index >= judged.length);
  const axes = axesWorthNaming(judged).map((axis) => {
    const labels = [...new Set(all.flatMap((one) => one[axis] ?? []))];
    const placed = atomsOf(axis, judged, labels).map((atom) => ({
      atom,
      bits: bitsWhere(all, (one) => isTrueOf(atom, one)),
    }));
    return placed.filter(({ bits }) => (bits & (bad | unasked)) !== 0n);
  });
  const found: Candidate[] = [];
  const add = (parts: readonly Placed[], bits: Bits): void => {
    if ((bits & bad) === 0n) return;
    const luck = luckWithin(bits, points);
    if (luck !== null) found.push(candidate(parts, bits, points, luck));
  };
  // A label that only points have that were not asked may fail by itself.
  for (const one of axes.flat()) {
    if ((one.bits & bad) !== 0n) add([one], one.bits);
    else if ((one.bits & good) === 0n) found.push(candidate([one], one.bits, points, 0));
  }
  const open = axes.map((atoms) => atoms.filter(({ atom, bits }) => atom.kind !== 'outside' && (bits & bad) !== 0n));
  for (const [index, firsts] of open.entries()) {
    for (const seconds of open.slice(index + 1)) {
      for (const first of firsts) for (const second of seconds) add([first, second], first.bits & second.bits);
    }
  }
  const single = open.map((atoms) => atoms.filter(({ atom }) => atom.kind !== 'in' || atom.labels.length === 1));
  for (const parts of combinations(single, 3))
    add(
      parts,
      parts.reduce((bits, part) => bits & part.bits, ~0n),
    );
  for (const box of boxesOf(open, points)) {
    // Those of single labels are there.
    if (box.some((part) => !single.some((atoms) => atoms.includes(part))))
      add(box, box[0].bits & box[1].bits & box[2].bits);
  }
  return found;
}

/**
 * Axes that failing points have. An axis with a single label explains no more than the name of its probe, unless it is
 * what all failures have in common.
 */
function axesWorthNaming(judged: readonly Labelled[]): readonly string[] {
  const bad = judged.filter(({ good }) => good === false);
  const axes = [...new Set(judged.flatMap(({ labels }) => Object.keys(labels)))].filter((axis) => axis !== probeAxis);
  const worth = axes.filter((axis) => {
    const isVaried = new Set(judged.flatMap(({ labels }) => labels[axis] ?? [])).size > 1;
    const has = ({ labels }: Labelled): boolean => labels[axis] !== undefined;
    return isVaried ? bad.some(has) : bad.every(has);
  });
  return [...worth, probeAxis];
}

function* combinations(
  axes: readonly (readonly Placed[])[],
  size: number,
  chosen: readonly Placed[] = [],
): Generator<readonly Placed[]> {
  if (size === 0) yield chosen;
  else
    for (const [index, atoms] of axes.entries())
      for (const one of atoms) yield* combinations(axes.slice(index + 1), size - 1, [...chosen, one]);
}

/** What it costs to exclude these points although some of them pass; null: that cannot be. */
function luckWithin(bits: Bits, { judged, good, bad, proven }: Points): number | null {
  if ((bits & good) === 0n) return 0;
  if ((bits & proven) !== 0n || (good & ~bits) === 0n) return null;
  return priceOfLuck(pointsAt(judged, bits & good), pointsAt(judged, bits & bad));
}

export function pointsAt<T>(points: readonly T[], bits: Bits): readonly T[] {
  return points.filter((_, index) => (bits & (1n << BigInt(index))) !== 0n);
}

function candidate(parts: readonly Placed[], bits: Bits, points: Points, luck: number): Candidate {
  const clause = parts.map(({ atom }) => atom);
  const unsupported = clause.filter((atom) => !isSupported(atom, clause, points)).length;
  const cost = costOf(clause) + luck;
  const costOfLabels = cost + clause.reduce((sum, atom) => sum + labelsIn(atom, points.all) - 1, 0);
  // A bound stands at the last value that passes, not at the first that fails: what is between was not asked.
  const reached = 0.0001 * popCount(bits);
  const price = cost + unsupportedBound * unsupported + wordiness(clause) + leaning(bits, points.judged) - reached;
  return { clause, bits, cost, costOfLabels, price };
}

/** The labels of which an atom is true; a bound is one statement. */
function labelsIn(atom: Atom, all: readonly Labels[]): number {
  if (atom.kind === 'below' || atom.kind === 'above') return 1;
  if (atom.kind === 'in') return atom.labels.length;
  return new Set(all.flatMap((labels) => (isTrueOf(atom, labels) ? [labels[atom.axis]] : []))).size;
}

const unsupportedBound = 0.6;

/** A bound means something only if one probe, with the other settings of the clause, passes on one side and not on the other. */
function isSupported(atom: Atom, clause: Clause, { judged }: Points): boolean {
  if (atom.kind !== 'below' && atom.kind !== 'above') return true;
  const others = clause.filter((one) => one !== atom);
  const alike = judged.filter(
    ({ labels }) => labels[atom.axis] !== undefined && others.every((one) => isTrueOf(one, labels)),
  );
  const failing = new Set(
    alike.flatMap(({ labels, good }) => (good === false && isTrueOf(atom, labels) ? [labels[probeAxis]] : [])),
  );
  return alike.some(({ labels, good }) => good === true && !isTrueOf(atom, labels) && failing.has(labels[probeAxis]));
}

/** Points of which too little is known decide where nothing else does. */
function leaning(bits: Bits, judged: readonly Labelled[]): number {
  return judged.reduce((sum, { good, leansGood = true }, index) => {
    if (good !== null || (bits & (1n << BigInt(index))) === 0n) return sum;
    return sum + (leansGood ? 0.005 : -0.005);
  }, 0);
}

function popCount(bits: Bits): number {
  return bits.toString(2).replaceAll('0', '').length;
}
