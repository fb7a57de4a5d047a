import type { Labelled } from './atom.js';
import { explanationsOf } from './condition.js';

/**
 * Of the points that could be asked, the one that would tell most about why some cells pass and others do not: where
 * most of the explanations that fit contradict the smallest, which is believed so far. null: none contradicts it.
 */
export function tellingPoint<Point extends Pick<Labelled, 'labels'>>(
  judged: readonly Labelled[],
  askable: readonly Point[],
): Point | null {
  const [believed, ...rivals] = explanationsOf(judged);
  let telling: { readonly point: Point; readonly contradict: number } | null = null;
  for (const point of askable) {
    const isBelievedGood = believed?.isGood(point) ?? true;
    const contradict = rivals.filter((rival) => rival.isGood(point) !== isBelievedGood).length;
    if (contradict > (telling?.contradict ?? 0)) telling = { point, contradict };
  }
  return telling?.point ?? null;
}
