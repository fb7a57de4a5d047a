import type { Plan, Ticket } from '../plan/ticket.js';
import { estimateCell } from './estimate.js';

/**
 * Part `index` (from 1) of `of` parts of a plan. A model's cells stay together, with their needs and under the model's
 * limits; the heaviest models are assigned first, each to the lightest part. The digest and the number of planned cells
 * are those of the whole plan. Throws a RangeError for a part that does not exist.
 */
export function shard(plan: Plan, index: number, of: number): Plan {
  if (!Number.isInteger(of) || !Number.isInteger(index) || index < 1 || index > of) {
    throw new RangeError(`a shard must be I/N with 1 <= I <= N, not ${index}/${of}`);
  }
  const part = partsOf(plan, of);
  const isOfPart = ({ cell }: Ticket): boolean => part.get(cell.model.key) === index;
  return {
    ...plan,
    tickets: plan.tickets.filter(isOfPart),
    reserve: plan.reserve.filter(({ ticket }) => isOfPart(ticket)),
    absent: plan.absent.filter(({ model }) => part.get(model) === index),
  };
}

function partsOf(plan: Plan, of: number): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const ticket of plan.tickets) {
    const { model, requests } = estimateCell(ticket);
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
