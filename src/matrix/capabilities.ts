import { conditionText } from './conditions/condition.js';
import { conditionOf } from './conditions/condition-of.js';
import { groupBy } from '../json/group-by.js';
import { isJudged } from '../cell/verdict.js';
import type { CapabilityVerdict, ReportCapability, ReportCell } from './report-format.js';

export interface Capability extends ReportCapability {
  /** What a client sends to meet the condition, by axis. */
  readonly toMeet: Readonly<Record<string, string>>;
}

/**
 * The capabilities of every model, in the order of the cells.
 * @param findAxes the searched axis of each cell that searches for a threshold, by key
 */
export function capabilitiesOf(
  cells: readonly ReportCell[],
  findAxes: ReadonlyMap<string, string> = new Map(),
): Capability[] {
  return [...groupBy(cells, (cell) => JSON.stringify([cell.model, cell.capability])).values()].map((group) => {
    const [{ model, capability } = { model: '', capability: '' }] = group;
    const verdict = capabilityVerdict(group);
    // Even a capability that passes everywhere may do so only from a measured threshold on.
    const isConditional = verdict === 'partial' || verdict === 'pass';
    const found = isConditional ? conditionOf(group, findAxes) : null;
    return {
      ...{ model, capability, verdict },
      condition: found === null ? null : conditionText(found.condition),
      cells: group.map(({ key }) => key),
      toMeet: found?.settings ?? {},
    };
  });
}

/** Over the judged cells; inconclusive when there are none. */
export function capabilityVerdict(cells: readonly ReportCell[]): CapabilityVerdict {
  const verdicts = new Set(cells.filter(isJudged).map((cell) => cell.verdict));
  if (verdicts.size === 0) return 'inconclusive';
  if (verdicts.has('pass') && verdicts.has('fail')) return 'partial';
  if (verdicts.has('flaky')) return 'flaky';
  return verdicts.has('pass') ? 'pass' : 'fail';
}
