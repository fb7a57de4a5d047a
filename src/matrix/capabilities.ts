import { isJudged } from '../cell/verdict.js';
import { groupBy } from '../json/group-by.js';
import type { Count } from '../stats/count.js';
import { defaultTest } from '../stats/sequential-test.js';
import { wilson } from '../stats/wilson.js';
import {
  conditionText,
  isMet,
  isBound,
  findCondition,
  type Condition,
  type JudgedPoint,
} from './conditions/find-condition.js';
import { servedCondition } from './served-by.js';
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
    const flaky = group.filter((cell) => cell.verdict === 'flaky').map(({ served_by }) => served_by ?? null);
    const condition = verdict === 'flaky' ? servedCondition(flaky) : (found?.condition ?? null);
    return {
      ...{ model, capability, verdict },
      condition: condition === null ? null : conditionText(condition),
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

/** A condition with the labels that a client sends to meet it, of a point that passes; of a bound, the value where it stands. */
interface ConditionFound {
  readonly condition: Condition;
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * The condition under which cells of a capability pass; null: they need none, or none is exact.
 * @param findAxes the searched axis of each cell that searches for a threshold, by key
 */
export function conditionOf(
  cells: readonly ReportCell[],
  findAxes: ReadonlyMap<string, string> = new Map(),
): ConditionFound | null {
  const points = cells.filter(isJudged).flatMap((cell) => pointsOf(cell, findAxes.get(cell.key)));
  const condition = findCondition(points);
  return condition === null ? null : { condition, settings: settingsFor(condition, points) };
}

function pointsOf({ point, verdict, trials, threshold }: ReportCell, searched: string | undefined): JudgedPoint[] {
  const least = threshold?.value ?? null;
  if (searched === undefined || threshold === null || least === null)
    return [{ labels: point, passes: verdict === 'pass' || (verdict === 'flaky' ? mayPass(trials) : false) }];
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

/** What passes at times fails, unless so few failures may be those of something that can be relied on. */
function mayPass({ passed, total }: Count): false | null {
  return wilson(passed, total)[1] < defaultTest.reliable ? false : null;
}

function settingsFor(condition: Condition, points: readonly JudgedPoint[]): Record<string, string> {
  const statements = condition.flatMap((part) => (part.kind === 'only' ? [part.statement] : part.statements));
  const good = points.filter(({ passes, labels }) => passes === true && condition.every((part) => isMet(part, labels)));
  const shown = good.find(({ labels }) => statements.every(({ axis }) => labels[axis] !== undefined)) ?? good[0];
  const bounds = new Map(
    condition.flatMap((part) =>
      part.kind === 'only' && isBound(part.statement)
        ? [[part.statement.axis, String(part.statement.bound)] as const]
        : [],
    ),
  );
  return Object.fromEntries(
    statements.flatMap(({ axis }) => {
      const label = bounds.get(axis) ?? shown?.labels[axis];
      return label === undefined ? [] : [[axis, label]];
    }),
  );
}
