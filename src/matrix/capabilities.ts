import { conditionOf, type Condition } from './conditions/condition.js';
import { groupBy } from './group-by.js';
import { isJudged } from '../cell/verdict.js';
import type { CapabilityVerdict, ReportCapability, ReportCell } from './report-format.js';
import { searchedCondition } from './conditions/searched.js';

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
  const explained = explanationOf(verdict, cells, findAxes);
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

/** Where only some points pass, those that searched for a threshold pass from it on, as they do where all pass. */
function explanationOf(
  verdict: CapabilityVerdict,
  cells: readonly ReportCell[],
  findAxes: ReadonlyMap<string, string>,
): Condition | null {
  if (verdict !== 'pass' && verdict !== 'partial') return null;
  const searched = searchedCondition(cells, findAxes);
  if (verdict === 'pass') return searched;
  const explained = conditionOf(cells);
  if (explained === null || searched === null || explained.text.includes(searched.axis)) return explained;
  const settings = { ...explained.settings, ...searched.settings };
  return { ...explained, text: `${explained.text} and ${searched.text}`, settings };
}
