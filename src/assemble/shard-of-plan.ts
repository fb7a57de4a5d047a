import { estimateCell } from '../estimate/cell-estimate.js';
import type { Plan, PlannedCell } from '../plan/plan.js';
import { isShard, mostShards, type Shard } from '../plan/shard.js';

/**
 * Part `index` (from 1) of `of` parts of a plan. A model's cells stay together, with their needs and under the model's
 * limits; the heaviest models are assigned first, each to the lightest part. The digest and the number of planned cells
 * are those of the whole plan. Throws a RangeError for a part that does not exist.
 */
export function shardOfPlan(plan: Plan, { index, of }: Shard): Plan {
  if (!isShard({ index, of })) {
    throw new RangeError(`a shard must be I/N with 1 <= I <= N <= ${mostShards}, not ${index}/${of}`);
  }
  const part = modelPartNumbers(plan, of);
  const isOfPart = ({ cell }: PlannedCell): boolean => part.get(cell.model.key) === index;
  return {
    ...plan,
    cells: plan.cells.filter(isOfPart),
    reserve: plan.reserve.filter(({ planned }) => isOfPart(planned)),
    absent: plan.absent.filter(({ model }) => part.get(model) === index),
  };
}

function modelPartNumbers(plan: Plan, of: number): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const planned of plan.cells) {
    const { model, requests } = estimateCell(planned);
    weights.set(model, (weights.get(model) ?? 0) + requests.expected);
  }
  const heaviestFirst = [...weights].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const loads = Array.from({ length: of }, () => 0);
  const parts = new Map<string, number>();
  for (const [model, weight] of heaviestFirst) {
    const lightest = loads.indexOf(Math.min(...loads));
    loads[lightest] = (loads[lightest] ?? 0) + weight;
    parts.set(model, lightest + 1);
  }
  return parts;
}
