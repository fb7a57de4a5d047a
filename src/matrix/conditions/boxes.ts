import type { Atom } from './atom.js';
import type { Bits } from './shortest-cover.js';

/** An atom, and of which points it is true. */
export interface Placed {
  readonly atom: Atom;
  readonly bits: Bits;
}

type Box = readonly [Placed, Placed, Placed];

/**
 * Lists of labels of three axes that only fail together: those that no pair of their axes explains, and of which no wider
 * one excludes more of what fails. Each comes with as many labels as it can have, and with those alone that were seen to
 * fail.
 * @param axes the atoms of each axis that are true of a failing point
 */
export function boxesOf(
  axes: readonly (readonly Placed[])[],
  { good, bad }: { readonly good: Bits; readonly bad: Bits },
): readonly Box[] {
  return triplesOf(axes).flatMap((triple) => {
    const [thirds = [], ...pair] = triple.toSorted((a, b) => b.length - a.length);
    const [firsts = [], seconds = []] = pair;
    const found: Box[] = [];
    for (const first of firsts) {
      for (const second of seconds) {
        const both = first.bits & second.bits;
        if ((both & good) === 0n || (both & bad) === 0n) continue;
        const fitting = thirds.filter(
          ({ bits }) =>
            (bits & both & good) === 0n &&
            (bits & both & bad) !== 0n &&
            (bits & first.bits & good) !== 0n &&
            (bits & second.bits & good) !== 0n,
        );
        for (const third of ends(fitting, both & bad)) found.push(inOrder(triple, [first, second, third]));
      }
    }
    return widest(found, bad);
  });
}

/** The atoms in the order of their axes, as conditions name them. */
function inOrder(triple: readonly (readonly Placed[])[], box: Box): Box {
  const [a = box[0], b = box[1], c = box[2]] = triple.flatMap((atoms) => box.filter((one) => atoms.includes(one)));
  return [a, b, c];
}

function triplesOf<T>(items: readonly T[]): readonly (readonly [T, T, T])[] {
  return items.flatMap((a, i) =>
    items.slice(i + 1).flatMap((b, j) => items.slice(i + j + 2).map((c): readonly [T, T, T] => [a, b, c])),
  );
}

/** Of the atoms that exclude most of these points: the one that is true of most points, and of fewest. */
function ends(fitting: readonly Placed[], bad: Bits): readonly Placed[] {
  const most = fitting.reduce((all, { bits }) => all | bits, 0n) & bad;
  const whole = fitting.filter(({ bits }) => (bits & bad) === most);
  // Bounds and runs need not have a common end.
  if (whole.length === 0) return fitting;
  const widerFirst = whole.toSorted((a, b) => size(b.bits) - size(a.bits));
  return [...new Set([widerFirst[0], widerFirst.at(-1)])].flatMap((one) => one ?? []);
}

function widest(boxes: readonly Box[], bad: Bits): readonly Box[] {
  const reached = boxes.map((box) => ({ box, reach: reachOf(box) & bad }));
  const reaches = [...new Set(reached.map(({ reach }) => reach))];
  const kept = new Set(reaches.filter((one) => !reaches.some((other) => other !== one && (one & ~other) === 0n)));
  return reached.flatMap(({ box, reach }) => (kept.has(reach) ? [box] : []));
}

const reachOf = ([a, b, c]: Box): Bits => a.bits & b.bits & c.bits;

function size(bits: Bits): number {
  return bits.toString(2).replaceAll('0', '').length;
}
