import type { Finding, Threshold } from '../../decide/course.js';
import type { Verdict } from '../../cell/verdict.js';
import { defaultTest, stateOf } from '../../stats/sequential-test.js';
import { wilson } from '../../stats/wilson.js';
import type { ReportCell } from '../report-format.js';
import { labelsOf, type Labelled } from './labelled.js';
import { refusalsIn } from './refused-every-time.js';
import { type KindOf, waveringKinds } from './same-kind.js';
import { softBoundsIn } from './soft-bounds.js';

/**
 * What judged cells say of their points. A cell that searches for a threshold says something of every value that it asked.
 * @param findAxes the searched axis of each such cell, by key
 * @param ofModel all cells of the model
 */
export function judgedPoints(
  cells: readonly ReportCell[],
  findAxes: ReadonlyMap<string, string>,
  ofModel: readonly ReportCell[],
  kindOf: KindOf = () => null,
): readonly Labelled[] {
  const isRefused = refusalsIn(ofModel);
  const softAxes = softBoundsIn(ofModel, findAxes);
  const wavers = waveringKinds(ofModel, kindOf);
  return cells.flatMap((cell) => {
    const labels = labelsOf(cell);
    const axis = findAxes.get(cell.key);
    const { threshold } = cell;
    const curve = axis === undefined || threshold === null ? [] : curveOf(threshold);
    if (axis === undefined || threshold === null || curve.length === 0)
      return [
        {
          ...{ labels, ...standingOf(cell), trials: cell.trials, wavers: wavers(cell) },
          ...{ refused: isRefused(cell), soft: softAxes(cell.point) },
        },
      ];
    // A value that the search has from elsewhere was not in doubt there.
    const asked = new Set(threshold.curve.map(([value]) => value));
    const failsBelow = isBroken(curve.filter(([value]) => threshold.value === null || value < threshold.value));
    const tail = failingTail(curve);
    return curve.map(([value, passed, total]) => {
      const isBelow = threshold.value === null || value < threshold.value;
      const found = searched(passed, total, !isBelow);
      // The search went on above a value that passed by luck.
      const fails = (isBelow && failsBelow) || tail.has(value);
      const standing = fails && found.good !== true ? { good: false } : found;
      const trials = asked.has(value) ? { passed, total } : undefined;
      return { labels: { ...labels, [axis]: String(value) }, ...standing, ...(trials && { trials }) };
    });
  });
}

/** Most values are asked once, in passing: those below a threshold count together. One failure may be chance. */
function isBroken(below: Threshold['curve']): boolean {
  const passed = below.reduce((sum, [, some]) => sum + some, 0);
  const total = below.reduce((sum, [, , all]) => sum + all, 0);
  return passed === 0 || stateOf(defaultTest, passed, total - passed) === 'broken';
}

/** The largest values, if they fail: they are asked once each, too, and count together. */
function failingTail(curve: Threshold['curve']): ReadonlySet<number> {
  const sorted = curve.toSorted(([a], [b]) => a - b);
  const tail = sorted.slice(sorted.findLastIndex(([, passed]) => passed > 0) + 1);
  const total = tail.reduce((sum, [, , all]) => sum + all, 0);
  return new Set(stateOf(defaultTest, 0, total) === 'broken' ? tail.map(([value]) => value) : []);
}

/** With the threshold and the last failing value, which a search may have from elsewhere. */
function curveOf({ value, last_failing: last, curve }: Threshold): Threshold['curve'] {
  const known = value === null ? [] : [[value, 1, 1] as const, ...(last === null ? [] : [[last, 0, 1] as const])];
  return [...curve, ...known.filter(([own]) => !curve.some(([asked]) => asked === own))];
}

type Standing = Omit<Labelled, 'labels'>;

/**
 * Whether a cell can be relied on. A flaky cell cannot, if its interval says so; if the interval leaves room for a
 * reliable rate, the cell needs no explanation.
 */
export function standingOf({
  verdict,
  trials,
}: {
  readonly verdict: Verdict;
  readonly trials: Pick<Finding['trials'], 'passed' | 'total'>;
}): Standing {
  const { passed, total } = trials;
  if (verdict === 'pass') return { good: true };
  if (verdict === 'fail' || wilson(passed, total)[1] < defaultTest.reliable) return { good: false };
  return fromTest(passed, total);
}

/** One value of a search. From the threshold on, passes count as those of a cell; elsewhere only many of them do. */
function searched(passed: number, total: number, isAbove: boolean): Standing {
  if (passed === total && isAbove) return { good: true };
  return fromTest(passed, total);
}

function fromTest(passed: number, total: number): Standing {
  const state = stateOf(defaultTest, passed, total - passed);
  if (state === 'reliable') return { good: true };
  if (state === 'broken') return { good: false };
  return { good: null, leansGood: passed / total >= (defaultTest.reliable + defaultTest.broken) / 2 };
}
