import { coursesFor } from '../../src/decide/courses/courses.js';
import { groupBy } from '../../src/json/group-by.js';
import type { Ticket } from '../../src/plan/ticket.js';
import type { Limits } from '../../src/config/config.js';
import { strictest } from '../../src/config/accounts.js';
import type { World } from './world.js';

/** A request by how long it is in flight, in milliseconds. */
type Durations = readonly number[];

/**
 * Milliseconds that the world takes at least, however its requests are ordered. Each of these holds by itself, so the
 * largest counts; accounts are asked side by side.
 *
 * - Slots: `slots` requests in flight at a time do at most `slots` milliseconds of work in each millisecond.
 * - Rates: in any sliding minute, at most `rate` requests are sent, so each is sent a minute or more after the one that
 *   was sent `rate` requests before it. Where n requests take more than k minutes, the first `m = n - k * rate` of each
 *   minute hold up those of the next, and the last one is sent k minutes after the start and as much later as the slowest
 *   of these k + 1 groups needs to send its last: by then all but `slots` of the group are over. That is at least a
 *   (k + 1)th of the work of the (k + 1) * (m - slots) shortest requests. The same holds for tokens, since all requests
 *   of a world take the same number.
 * - A model has slots of its own, and the account's rates hold for its requests, too. Its opening control comes first.
 * - Chains: a cell asks one batch after the other, a trial one step after the other, and a cell comes after those that it
 *   needs. A batch takes its longest trial, and its work spread over the model's slots.
 */
export function lowerBound(world: World): number {
  const accounts = groupBy(world.targets, ({ name }) => world.keys.get(name) ?? name);
  const ofModels = groupBy(world.plan.tickets, ({ cell }) => cell.model.key);
  const bounds = [...accounts.values()].map((targets) => {
    const limits = targets.map((target) => target.limits).reduce(strictest);
    const models = targets.flatMap((target) =>
      target.models.map((model) => {
        const slots = Math.min(model.concurrency ?? Infinity, target.limits.concurrency, limits.concurrency);
        return modelBound(world, ofModels.get(model.key) ?? [], limits, slots);
      }),
    );
    const all = models.flatMap(({ durations }) => durations);
    return Math.max(byLimits(all, limits, limits.concurrency, world.tokens), ...models.map(({ bound }) => bound));
  });
  return Math.max(...bounds);
}

function modelBound(
  world: World,
  tickets: readonly Ticket[],
  limits: Limits,
  slots: number,
): { readonly bound: number; readonly durations: Durations } {
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
    bound: Math.max(control + Math.max(chain, sum(durations) / slots), byLimits(all, limits, slots, world.tokens)),
    durations: all,
  };
}

function byLimits(durations: Durations, limits: Limits, slots: number, tokens: number): number {
  const perMinute = Math.min(
    limits.requestsPerMinute ?? Infinity,
    Math.floor((limits.tokensPerMinute ?? Infinity) / tokens),
  );
  const shortestFirst = durations.toSorted((a, b) => a - b);
  const [shortest = 0] = shortestFirst;
  let most = sum(durations) / slots;
  for (let minutes = 1; ; minutes += 1) {
    const rest = durations.length - minutes * perMinute;
    if (!(rest > 0)) return most;
    // A group is no longer than a minute: what is more belongs to the group before.
    const ofGroups = shortestFirst.slice(0, Math.max(0, Math.min(rest, perMinute) - slots) * (minutes + 1));
    most = Math.max(most, minutes * 60_000 + sum(ofGroups) / (minutes + 1) / slots + shortest);
  }
}

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

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
