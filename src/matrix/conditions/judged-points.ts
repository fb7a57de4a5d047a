import type { Finding, Threshold } from '../../decide/course.js';
import type { Verdict } from '../../cell/verdict.js';
import { defaultTest, stateOf } from '../../stats/sequential-test.js';
import { wilson } from '../../stats/wilson.js';
import type { ReportCell } from '../report-format.js';
import { labelsOf, type Labelled } from './labelled.js';

/**
 * What judged cells say of their points. A cell that searches for a threshold says something of every value that it asked.
 * @param findAxes the searched axis of each such cell, by key
 */
export function judgedPoints(cells: readonly ReportCell[], findAxes: ReadonlyMap<string, string>): readonly Labelled[] {
  return cells.flatMap((cell) => {
    const labels = labelsOf(cell);
    const axis = findAxes.get(cell.key);
    const { threshold } = cell;
    const curve = axis === undefined || threshold === null ? [] : curveOf(threshold);
    if (axis === undefined || threshold === null || curve.length === 0) return [{ labels, ...standingOf(cell) }];
    return curve.map(([value, passed, total]) => ({
      labels: { ...labels, [axis]: String(value) },
      ...searched(passed, total, threshold.value !== null && value >= threshold.value),
    }));
  });
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

/** One value of a search. Those that were asked in passing have few trials, and one below the threshold may pass by luck. */
function searched(passed: number, total: number, isAbove: boolean): Standing {
  if (passed === 0) return { good: false };
  if (passed === total && isAbove) return { good: true };
  return fromTest(passed, total);
}

function fromTest(passed: number, total: number): Standing {
  const state = stateOf(defaultTest, passed, total - passed);
  if (state === 'reliable') return { good: true };
  if (state === 'broken') return { good: false };
  return { good: null, leansGood: passed / total >= (defaultTest.reliable + defaultTest.broken) / 2 };
}
