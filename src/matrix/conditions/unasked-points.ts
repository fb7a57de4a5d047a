import { groupBy } from '../../json/group-by.js';
import { probeKeyOf } from '../../cell/cell-key.js';
import { wholeProduct } from '../../plan/cells/plan-cells.js';
import type { Plan } from '../../plan/ticket.js';
import type { ReportCapability } from '../report-format.js';
import type { ProbePoint } from './condition.js';

/** By model and capability: the points of its probes that a plan does not ask, made when they are first wanted. */
export function unaskedBy({
  tickets,
}: Pick<Plan, 'tickets'>): (capability: Pick<ReportCapability, 'model' | 'capability'>) => readonly ProbePoint[] {
  const asked = new Set(tickets.map(({ cell }) => cell.key));
  const probes = groupBy(
    [...groupBy(tickets, ({ cell }) => probeKeyOf(cell)).values()].flatMap(([one]) => one?.cell ?? []),
    ({ model }) => model.key,
  );
  const known = new Map<string, readonly (ProbePoint & { readonly capability: string })[]>();
  const ofModel = (key: string): readonly (ProbePoint & { readonly capability: string })[] => {
    const points =
      known.get(key) ??
      (probes.get(key) ?? []).flatMap(({ probe, model }) =>
        wholeProduct(probe, model).flatMap(({ key: cell, point, capability }) =>
          asked.has(cell) ? [] : [{ suite: probe.suite, probe: probe.name, point, capability }],
        ),
      );
    known.set(key, points);
    return points;
  };
  return ({ model, capability }) => ofModel(model).filter((point) => point.capability === capability);
}
