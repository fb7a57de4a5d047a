import { isJudged } from '../cell/verdict.js';
import { groupBy } from '../json/group-by.js';
import { wilson, type Count } from '../stats/count.js';
import { defaultTest } from '../stats/sequential-test.js';
import { conditionText, findCondition, type JudgedPoint } from './conditions/find-condition.js';
import { servedCondition } from './served-by.js';
import type { ReportCapability, ReportCell } from './report-format.js';
import { writtenJson } from '../json/json.js';

interface CapabilityWithRemedy extends ReportCapability {
  /** Settings that meet the condition, by axis. */
  readonly toMeet: Readonly<Record<string, string>>;
}

/**
 * The capabilities of every model, in the order of the cells.
 * @param findAxes the searched axis of each cell that searches for a threshold, by key
 */
export function capabilitiesOf(
  cells: readonly ReportCell[],
  findAxes: ReadonlyMap<string, string> = new Map(),
): CapabilityWithRemedy[] {
  return [...groupBy(cells, (cell) => writtenJson([cell.model, cell.capability])).values()].map((group) => {
    const [{ model, capability } = { model: '', capability: '' }] = group;
    const verdict = capabilityVerdict(group);
    // Even a capability that passes everywhere may do so only from a measured threshold on.
    const isConditional = verdict === 'partial' || verdict === 'pass';
    const found = isConditional
      ? findCondition(group.filter(isJudged).flatMap((cell) => judgedPointsOf(cell, findAxes)))
      : null;
    const flaky = group.filter((cell) => cell.verdict === 'flaky').map(({ served_by }) => served_by ?? null);
    const condition = verdict === 'flaky' ? servedCondition(flaky) : (found?.condition ?? null);
    return {
      model,
      capability,
      verdict,
      condition: condition === null ? null : conditionText(condition),
      cells: group.map(({ key }) => key),
      toMeet: found?.settings ?? {},
    };
  });
}

/** Over the judged cells; inconclusive when there are none. */
function capabilityVerdict(cells: readonly ReportCell[]): ReportCapability['verdict'] {
  const verdicts = new Set(cells.filter(isJudged).map((cell) => cell.verdict));
  if (verdicts.size === 0) return 'inconclusive';
  if (verdicts.has('pass') && verdicts.has('fail')) return 'partial';
  if (verdicts.has('flaky')) return 'flaky';
  return verdicts.has('pass') ? 'pass' : 'fail';
}

function judgedPointsOf(
  { key, point, verdict, trials, threshold }: ReportCell,
  findAxes: ReadonlyMap<string, string>,
): JudgedPoint[] {
  const searched = findAxes.get(key);
  const least = threshold?.value ?? null;
  if (searched === undefined || threshold === null || least === null) {
    return [{ labels: point, passes: verdict === 'pass' || (verdict === 'flaky' ? mayPass(trials) : false) }];
  }
  const { last_failing: last, curve, largest = false } = threshold;
  // A search may have these two from elsewhere.
  const known = [[least, 1, 1] as const, ...(last === null ? [] : [[last, 0, 1] as const])];
  return [...curve, ...known.filter(([own]) => !curve.some(([asked]) => asked === own))].map(
    ([value, passed, total]) => ({
      labels: { ...point, [searched]: String(value) },
      // Beyond a threshold, what passes does so by luck.
      passes: (largest ? value <= least : value >= least) && (passed === total || mayPass({ passed, total })),
    }),
  );
}

/** A cell that passes at times fails, unless so few failures may be those of a reliable one. */
function mayPass({ passed, total }: Count): false | null {
  return wilson(passed, total)[1] < defaultTest.reliable ? false : null;
}
