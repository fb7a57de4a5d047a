import { coursesFor } from '../../../src/decide/courses/courses.js';
import { groupBy } from '../../../src/json/group-by.js';
import type { Ticket } from '../../../src/plan/ticket.js';
import type { Limits } from '../../../src/config/config.js';
import { strictest } from '../../../src/config/accounts.js';
import { sum } from '../../../src/stats/sum.js';
import { boundByLimits, type Bounds } from './bound-by-limits.js';
import type { World } from './world.js';

/** A request by how long it is in flight, in milliseconds. */
type Durations = readonly number[];

/**
 * Milliseconds that the world takes at least, however its requests are ordered. Each of these holds by itself, so the
 * largest counts; accounts are asked side by side.
 *
 * - Slots and rates: see `boundByLimits`. Tokens count as requests, since all of a world take the same number.
 * - A model has slots of its own, and the account's rates hold for its requests, too. Its opening control comes first.
 * - Chains: a cell asks one batch after the other, a trial one step after the other, and a cell comes after those that it
 *   needs. A batch takes its longest trial, and its work spread over the model's slots.
 */
export function lowerBound(world: World): number {
  const accounts = groupBy(world.targets, ({ name }) => world.keys.get(name) ?? name);
  const ofModels = groupBy(world.plan.tickets, ({ cell }) => cell.model.key);
  const bounds = [...accounts.values()].map((targets) => {
    const limits = targets.map((target) => target.limits).reduce(strictest);
    const perMinute = perMinuteOf(limits, world.tokens);
    const models = targets.flatMap((target) =>
      target.models.map((model) => {
        const slots = Math.min(model.concurrency ?? Infinity, target.limits.concurrency, limits.concurrency);
        return modelBound(world, ofModels.get(model.key) ?? [], { slots, perMinute });
      }),
    );
    const all = models.flatMap(({ durations }) => durations);
    return Math.max(boundByLimits(all, { slots: limits.concurrency, perMinute }), ...models.map(({ bound }) => bound));
  });
  return Math.max(...bounds);
}

function modelBound(
  world: World,
  tickets: readonly Ticket[],
  limits: Bounds,
): { readonly bound: number; readonly durations: Durations } {
  const { slots } = limits;
  const [first] = tickets;
  if (first === undefined) return { bound: 0, durations: [] };
  const control = world.duration({ model: first.cell.model.key, cell: null, ask: null, step: 0 });
  const asked = new Map(tickets.map((ticket) => [ticket.cell.key, asking(world, ticket, slots)]));
  const pathTo = (key: string): number => {
    const ticket = tickets.find(({ cell }) => cell.key === key);
    return (asked.get(key)?.chain ?? 0) + Math.max(0, ...(ticket?.cell.needs ?? []).map(pathTo));
  };
  const durations = [...asked.values()].flatMap((cell) => cell.durations);
  const chain = Math.max(...tickets.map(({ cell }) => pathTo(cell.key)));
  const all = [control, ...durations];
  return {
    bound: Math.max(control + Math.max(chain, sum(durations) / slots), boundByLimits(all, limits)),
    durations: all,
  };
}

/** Requests that a minute allows, each of so many tokens; Infinity without a limit. */
export const perMinuteOf = ({ requestsPerMinute, tokensPerMinute }: Limits, tokens: number): number =>
  Math.min(requestsPerMinute ?? Infinity, Math.floor((tokensPerMinute ?? Infinity) / tokens));

/** What a cell asks, whatever else is asked, and how long its batches take at least, one after the other. */
function asking(
  world: World,
  ticket: Ticket,
  slots: number,
): { readonly chain: number; readonly durations: Durations } {
  const course = coursesFor({ plannedCells: world.plan.plannedCells })[ticket.course](ticket);
  const { key, model } = ticket.cell;
  const durations: number[] = [];
  let chain = 0;
  for (let turn = course.next(); turn.done !== true;) {
    const trials = turn.value.map((ask) =>
      Array.from({ length: world.stepsOf(ticket) }, (_, step) =>
        world.duration({ model: model.key, cell: key, ask, step }),
      ),
    );
    durations.push(...trials.flat());
    chain += Math.max(sum(trials.flat()) / slots, ...trials.map(sum));
    turn = course.next(turn.value.map((ask) => world.outcome(ticket, ask)));
  }
  return { chain, durations };
}
