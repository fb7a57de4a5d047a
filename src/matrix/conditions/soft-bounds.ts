import { defaultTest, stateOf } from '../../stats/sequential-test.js';
import type { ReportCell } from '../report-format.js';

/**
 * The axes on which a point lies where searches of the model passed at times: between values that always fail and values
 * that always pass there may be some of both, and a few passes at one of them are no proof.
 * @param findAxes the searched axis of each cell that searches for a threshold, by key
 */
export function softBoundsIn(
  ofModel: readonly ReportCell[],
  findAxes: ReadonlyMap<string, string>,
): (point: ReportCell['point']) => readonly string[] {
  const values = new Map<string, number[]>();
  for (const { key, threshold } of ofModel) {
    const axis = findAxes.get(key);
    if (axis === undefined) continue;
    for (const [value, passed, total] of threshold?.curve ?? []) {
      if (passed === 0 || stateOf(defaultTest, passed, total - passed) !== 'broken') continue;
      values.set(axis, [...(values.get(axis) ?? []), value]);
    }
  }
  const bands = [...values].map(([axis, some]) => ({ axis, from: Math.min(...some), to: Math.max(...some) }));
  return (point) =>
    bands.flatMap(({ axis, from, to }) => {
      const value = Number(point[axis] ?? NaN);
      return value >= from && value <= to ? [axis] : [];
    });
}
