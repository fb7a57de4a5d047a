import { type Clause, excludes } from './atom.js';
import { bitsWhere, type Candidate, candidatesAmong, type Points, pointsAt, pointsOf } from './clauses.js';
import type { Labelled, Labels } from './labelled.js';
import { isProven, priceOfLuck } from './lucky-passes.js';
import { cheapestCover } from './shortest-cover.js';
import { isBesideSoftBound, mayBelongTo } from './told-apart.js';

/** Why some points pass and others do not: those that no clause excludes pass. */
export interface Explanation {
  readonly clauses: readonly Clause[];
  /** What it says of points that were not asked; null: another explanation that is nearly as short says the opposite. */
  readonly unasked: readonly (boolean | null)[];
  /** Judged points that pass, by luck if the explanation is right. */
  readonly lucky: readonly Labelled[];
  /** Judged points that may pass by luck if another explanation is right. */
  readonly unsure: readonly Labelled[];
}

/** The most that an explanation may cost, and the most clauses it may have: a longer one does not help anybody. */
const mostCost = 9;
export const mostClauses = 4;

/**
 * Another explanation is still likely if it costs no more than one axis more: that a label fails always, or only with
 * another label, or that a second label fails too. A clause of three axes costs more than that.
 */
const nearly = 1.3;

/** Beyond so many points, none that was not asked is taken as known. */
const mostUnasked = 500;

/** The shortest explanation of what was judged; null: there is nothing to explain, or none is short enough. */
export function explain(judged: readonly Labelled[], unasked: readonly Labels[] = []): Explanation | null {
  const points = pointsOf(judged, unasked.length > mostUnasked ? [] : unasked);
  if (points.good === 0n || points.bad === 0n) return null;
  const candidates = candidatesAmong(points);
  const limits = { limit: mostCost + 1, most: mostClauses };
  const best = cheapestCover(candidates, points.bad, limits);
  if (best === null) return null;
  const excluded = best.reduce((bits, one) => bits | one.bits, 0n);
  const allByLuck = priceOfLuck(pointsAt(judged, points.good), pointsAt(judged, points.bad));
  // Then everything fails, and there is nothing to explain.
  if ((points.good & ~excluded) === 0n || (allByLuck !== null && allByLuck < costOfAll(best))) return null;
  const clauses = best.map(({ clause }) => clause);
  const isOpen = openPoints(points, candidates, best);
  const isUnsure = (one: Labelled, index: number): boolean =>
    one.good === true &&
    !isProven(one) &&
    (isOpen(index) ||
      one.wavers === true ||
      clauses.some((clause) => isBesideSoftBound(clause, one) || mayBelongTo(clause, one.labels, judged)));
  return {
    clauses,
    unasked: unasked.map((labels, index) =>
      isOpen(judged.length + index) ? null : !clauses.some((clause) => excludes(clause, labels)),
    ),
    ...{ lucky: pointsAt(judged, points.good & excluded), unsure: judged.filter(isUnsure) },
  };
}

function costOfAll(clauses: readonly Candidate[]): number {
  return clauses.reduce((sum, { cost }) => sum + cost, 0);
}

/** Whether a likely explanation contradicts the best one at a point, by its index. */
function openPoints(
  { all, bad }: Points,
  candidates: readonly Candidate[],
  best: readonly Candidate[],
): (index: number) => boolean {
  const measures = [({ cost }: Candidate) => cost, ({ costOfLabels }: Candidate) => costOfLabels].map((measure) => ({
    rivals: candidates.map((one) => ({ bits: one.bits, price: measure(one) })),
    limits: { limit: best.reduce((sum, one) => sum + measure(one), nearly), most: mostClauses + 1 },
  }));
  const excluded = best.reduce((bits, one) => bits | one.bits, 0n);
  return (index) => {
    if (index >= all.length) return true;
    const point = 1n << BigInt(index);
    const isExcluded = (excluded & point) !== 0n;
    return measures.some(({ rivals, limits }) => {
      const allowed = isExcluded ? rivals.filter(({ bits }) => (bits & point) === 0n) : rivals;
      return cheapestCover(allowed, isExcluded ? bad : bad | point, limits) !== null;
    });
  };
}

/** More clauses about what is not known are hard to read. */
const mostOpen = 2;

/** A few clauses for the points that are open, none of which holds of a judged point; null: it takes too many. */
export function clausesFor(
  open: readonly Labels[],
  judged: readonly Labelled[],
  known: readonly Labels[],
): readonly Clause[] | null {
  const relabelled = [
    ...judged.map(({ labels }): Labelled => ({ labels, good: true })),
    ...known.map((labels): Labelled => ({ labels, good: null })),
    ...open.map((labels): Labelled => ({ labels, good: false })),
  ];
  const points = pointsOf(relabelled, []);
  // In words, "outside" names the other labels, which says nothing of a point without the axis.
  // Lists of three axes are hard to read where nothing is known, and hide that much is open.
  const isSayable = ({ clause }: Candidate): boolean =>
    (clause.length < 3 || clause.every((atom) => atom.kind !== 'in' || atom.labels.length === 1)) &&
    clause.every(
      ({ axis, kind }) => kind !== 'outside' || relabelled.every(({ labels }) => labels[axis] !== undefined),
    );
  const cover = cheapestCover(
    candidatesAmong(points).filter(isSayable),
    bitsWhere(relabelled, ({ good }) => good === false),
    {
      limit: mostCost,
      most: mostOpen,
    },
  );
  return cover?.map(({ clause }) => clause) ?? null;
}
