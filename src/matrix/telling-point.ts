import type { Labelled } from './atom.js';
import { explanationsOf } from './condition.js';

/**
 * Of the points that could be asked, the one whose answer would tell most about why some cells pass and others do not:
 * where the explanations that fit so far disagree most, smaller ones weighing more. null: they agree on every point.
 */
export function tellingPoint<Point extends Pick<Labelled, 'labels'>>(
  judged: readonly Labelled[],
  askable: readonly Point[],
): Point | null {
  const explanations = [...explanationsOf(judged)].map(({ size, isGood }) => ({ weight: 2 ** -size, isGood }));
  let telling: { readonly point: Point; readonly split: number } | null = null;
  for (const point of askable) {
    let [good, bad] = [0, 0];
    for (const { weight, isGood } of explanations) {
      if (isGood(point)) good += weight;
      else bad += weight;
    }
    const split = Math.min(good, bad);
    if (split > (telling?.split ?? 0)) telling = { point, split };
  }
  return telling?.point ?? null;
}
