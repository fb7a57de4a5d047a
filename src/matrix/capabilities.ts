import type { KindOf } from './conditions/same-kind.js';
import { conditionOf, type Condition, type ProbePoint } from './conditions/condition.js';
import { groupBy } from '../json/group-by.js';
import { isJudged } from '../cell/verdict.js';
import type { CapabilityVerdict, ReportCapability, ReportCell } from './report-format.js';

export interface Capability extends ReportCapability {
  readonly explained: Condition | null;
}

/**
 * The capabilities of every model, in the order of the cells.
 * @param findAxes the searched axis of each cell that searches for a threshold, by key
 * @param unasked further points of the same probes, which have no cells
 * @param kindOf by what cells of different probes are asked alike
 */
export function capabilitiesOf(
  cells: readonly ReportCell[],
  findAxes: ReadonlyMap<string, string> = new Map(),
  unasked: (capability: Pick<ReportCapability, 'model' | 'capability'>) => readonly ProbePoint[] = () => [],
  kindOf: KindOf = () => null,
): Capability[] {
  const byModel = groupBy(cells, ({ model }) => model);
  return [...groupBy(cells, (cell) => JSON.stringify([cell.model, cell.capability])).values()].map((group) => {
    const [{ model, capability } = { model: '', capability: '' }] = group;
    const verdict = capabilityVerdict(group);
    // Even a capability that passes everywhere may do so only from a measured threshold on.
    const isConditional = verdict === 'partial' || verdict === 'pass';
    const explained = isConditional
      ? conditionOf(group, {
          findAxes,
          further: () => unasked({ model, capability }),
          ofModel: byModel.get(model) ?? [],
          kindOf,
        })
      : null;
    return {
      model,
      capability,
      verdict,
      condition: explained?.text ?? null,
      ...(explained && Object.keys(explained.askedUpTo).length > 0 && { asked_up_to: explained.askedUpTo }),
      ...(explained?.notKnown && { not_known: explained.notKnown }),
      cells: group.map(({ key }) => key),
      explained,
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
