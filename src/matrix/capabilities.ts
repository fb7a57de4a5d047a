import { conditionOf, type Condition } from './condition.js';
import { groupBy } from './group-by.js';
import { isJudged } from './judged.js';
import type { CapabilityVerdict, ReportCapability, ReportCell } from './report.js';

export interface Capability extends ReportCapability {
  readonly explained: Condition | null;
}

/**
 * The capabilities of every model, in the order of the cells.
 * `findAxes`: the searched axis of each cell that searches for a threshold, by key.
 */
export function capabilitiesOf(
  cells: readonly ReportCell[],
  findAxes: ReadonlyMap<string, string> = new Map(),
): Capability[] {
  return [...groupBy(cells, (cell) => JSON.stringify([cell.model, cell.capability])).values()].map((group) =>
    capabilityOf(group, findAxes),
  );
}

function capabilityOf(cells: readonly ReportCell[], findAxes: ReadonlyMap<string, string>): Capability {
  const verdict = capabilityVerdict(cells);
  const explained =
    verdict === 'partial' ? conditionOf(cells) : verdict === 'pass' ? thresholdOf(cells, findAxes) : null;
  return {
    model: cells[0]?.model ?? '',
    capability: cells[0]?.capability ?? '',
    verdict,
    condition: explained?.text ?? null,
    cells: cells.map((cell) => cell.key),
    explained,
  };
}

/** Over the judged cells: all pass, all fail, pass and fail, any flaky; nothing judged is inconclusive. */
export function capabilityVerdict(cells: readonly ReportCell[]): CapabilityVerdict {
  const verdicts = new Set(cells.filter(isJudged).map((cell) => cell.verdict));
  if (verdicts.size === 0) return 'inconclusive';
  if (verdicts.has('pass') && verdicts.has('fail')) return 'partial';
  if (verdicts.has('flaky')) return 'flaky';
  return verdicts.has('pass') ? 'pass' : 'fail';
}

/** A search that found smaller values failing says from where on the capability can be relied on. */
function thresholdOf(cells: readonly ReportCell[], findAxes: ReadonlyMap<string, string>): Condition | null {
  const found = cells.flatMap(({ key, verdict, threshold }) => {
    const axis = findAxes.get(key);
    if (verdict !== 'pass' || axis === undefined || threshold === null) return [];
    return threshold.value === null || threshold.last_failing === null ? [] : [{ axis, value: threshold.value }];
  });
  const axis = found[0]?.axis;
  if (axis === undefined) return null;
  const value = Math.max(...found.filter((one) => one.axis === axis).map((one) => one.value));
  return { text: `${axis} >= ${value}`, settings: { [axis]: String(value) }, namesProbe: false };
}
