import { conditionOf, type Condition } from './conditions/condition.js';
import { groupBy } from '../json/group-by.js';
import { isJudged } from '../cell/verdict.js';
import type { CapabilityVerdict, ReportCapability, ReportCell } from './report-format.js';

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

/** Over the judged cells; inconclusive when there are none. */
export function capabilityVerdict(cells: readonly ReportCell[]): CapabilityVerdict {
  const verdicts = new Set(cells.filter(isJudged).map((cell) => cell.verdict));
  if (verdicts.size === 0) return 'inconclusive';
  if (verdicts.has('pass') && verdicts.has('fail')) return 'partial';
  if (verdicts.has('flaky')) return 'flaky';
  return verdicts.has('pass') ? 'pass' : 'fail';
}

/** Even where only some points pass, a point with a measured threshold passes only from that value on. */
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

/**
 * Where a capability passes, as the threshold searches found it: from which value on and, where larger values failed
 * again, up to which. Of several searches, the narrowest counts; null when every value that was asked passed.
 */
function searchedCondition(
  cells: readonly ReportCell[],
  findAxes: ReadonlyMap<string, string>,
): (Condition & { readonly axis: string }) | null {
  const found = cells.flatMap(({ key, verdict, threshold }) => {
    const axis = findAxes.get(key);
    if (verdict !== 'pass' || axis === undefined || threshold === null || threshold.value === null) return [];
    const from = threshold.last_failing === null ? null : threshold.value;
    const to = lastBeforeFailing(threshold);
    return from === null && to === null ? [] : [{ axis, value: threshold.value, from, to }];
  });
  const axis = found[0]?.axis;
  if (axis === undefined) return null;
  const same = found.filter((one) => one.axis === axis);
  const lower = same.flatMap(({ from }) => from ?? []);
  const upper = same.flatMap(({ to }) => to ?? []);
  const parts = [
    ...(lower.length > 0 ? [`${axis} >= ${Math.max(...lower)}`] : []),
    ...(upper.length > 0 ? [`${axis} <= ${Math.min(...upper)}`] : []),
  ];
  const settings = { [axis]: String(Math.max(...same.map(({ value }) => value))) };
  return { axis, text: parts.join(' and '), settings, namesProbe: false };
}

/** The largest value known to pass below the first failure above the threshold; null: none fails. */
function lastBeforeFailing({ value, curve }: NonNullable<ReportCell['threshold']>): number | null {
  if (value === null) return null;
  const above = curve.filter(([x]) => x > value);
  const failing = above.find(([, passed]) => passed === 0);
  if (failing === undefined) return null;
  return above.findLast(([x, passed, total]) => x < failing[0] && passed === total)?.[0] ?? value;
}
