import { type Atom, type Clause, excludes, isTrueOf } from './atom.js';
import { isNumeric, type Labelled, type Labels, probeAxis } from './labelled.js';
import { isBroken, isProven, mayPassLike, passesAtTimes } from './lucky-passes.js';

/**
 * Whether a point that passes may be no better than those that a clause excludes. Then a wider clause would be right, one
 * that holds of the point as well, and everything that passes within it would pass by luck: is it too much for that? What
 * is refused is no evidence, because it never passes.
 */
export function mayBelongTo(clause: Clause, labels: Labels, judged: readonly Labelled[]): boolean {
  const failing = judged.filter((one) => one.good === false && one.refused !== true && excludes(clause, one.labels));
  if (failing.length === 0 || !isBroken(failing) || excludes(clause, labels)) return false;
  const comeAndGo = passesAtTimes(failing);
  if (isBeyond(clause, labels) && !comeAndGo) return false;
  const within = judged.filter(
    (one) =>
      one.good === true &&
      clause.every((atom) => isTrueOf(atom, one.labels) || isOnTheWay(atom, one.labels, labels, comeAndGo)),
  );
  return !within.some(isProven) && mayPassLike(failing, within);
}

/** Whether only bounds tell a point from a clause. What never passes below a bound needs no luck to pass above it. */
function isBeyond(clause: Clause, labels: Labels): boolean {
  const apart = clause.filter((atom) => !isTrueOf(atom, labels));
  return apart.every(({ axis, kind }) => (kind === 'below' || kind === 'above') && labels[axis] !== undefined);
}

/** Whether an atom that is widened as far as to hold of a point holds of another point, too. */
function isOnTheWay(atom: Atom, other: Labels, labels: Labels, comeAndGo: boolean): boolean {
  const [its, own] = [other[atom.axis], labels[atom.axis]];
  if (own === undefined) {
    // Without the axis, a probe sends a value of its own, which may lie on either side of a bound.
    const isBound = atom.kind === 'below' || atom.kind === 'above';
    // It may be any of the labels, too. Where those that fail never pass, one pass shows that it is none of them.
    return other[probeAxis] === labels[probeAxis] || !(isBound || comeAndGo);
  }
  if (its === undefined) return false;
  if (its === own || atom.axis === probeAxis || !isNumeric(own) || !isNumeric(its)) return its === own;
  const [from, to] = [Number(own), Number(its)];
  switch (atom.kind) {
    case 'below':
      return to <= from;
    case 'above':
      return to >= from;
    case 'in': {
      const set = atom.labels.map(Number);
      return (Math.max(...set) < to && to <= from) || (Math.min(...set) > to && to >= from);
    }
    case 'outside':
      return false;
  }
}

/** Whether only the value of an axis tells a point from a clause, at which the model is known to pass at times. */
export function isBesideSoftBound(clause: Clause, { labels, soft = [] }: Labelled): boolean {
  return soft.some(
    (axis) =>
      clause.some((atom) => atom.axis === axis) && clause.every((atom) => atom.axis === axis || isTrueOf(atom, labels)),
  );
}
