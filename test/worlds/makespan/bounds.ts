import { coursesFor } from '../../../src/decide/courses/courses.js';
import { groupBy } from '../../../src/json/group-by.js';
import type { Ticket } from '../../../src/plan/ticket.js';
import type { Limits } from '../../../src/config/config.js';
import { strictest } from '../../../src/config/accounts.js';
import { sum } from '../../../src/stats/sum.js';
import type { Sent, WorldRun } from './run-world.js';
import type { World } from './world.js';

/** Limits that all requests of a model or an account share. */
interface Bounds {
  /** Requests in flight at a time. */
  readonly slots: number;
  /** Requests that a minute allows; Infinity without a limit. */
  readonly perMinute: number;
}

const minute = 60_000;

function boundByLimits(durations: Durations, { slots, perMinute }: Bounds): number {
  const minutes = Math.floor(Math.max(0, durations.length - 1) / perMinute);
  return Math.max(sum(durations) / slots, minutes * minute + Math.min(...durations, Infinity));
}

/** A request by how long it is in flight, in milliseconds. */
type Durations = readonly number[];

/**
 * Milliseconds that the world takes at least, however its requests are ordered. Each of these holds by itself, so the
 * largest counts; accounts are asked side by side.
 *
 * - Slots: at most `slots` requests are in flight. Rates: a request is sent a minute or more after the one sent `perMinute`
 *   before it. Tokens count as requests, since all of a world take the same number.
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
const perMinuteOf = ({ requestsPerMinute, tokensPerMinute }: Limits, tokens: number): number =>
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

/** What a run sent beyond its limits, in words. */
export function brokenLimits(world: World, { sent }: WorldRun): readonly string[] {
  const accounts = groupBy(world.targets, ({ name }) => world.keys.get(name) ?? name);
  const ofModels = groupBy(sent, ({ model }) => model);
  return [...accounts].flatMap(([key, targets]) => {
    const limits = targets.map((target) => target.limits).reduce(strictest);
    const models = targets.flatMap((target) => target.models);
    const all = models.flatMap((model) => ofModels.get(model.key) ?? []);
    return [
      ...above(`${key}, at once`, atOnce(all), limits.concurrency),
      ...above(`${key}, in a minute`, inMinute(all), perMinuteOf(limits, world.tokens)),
      ...models.flatMap(({ key: model, concurrency }) =>
        above(`${model}, at once`, atOnce(ofModels.get(model) ?? []), concurrency ?? Infinity),
      ),
    ];
  });
}

type Span = Pick<Sent, 'from' | 'to'>;

const above = (what: string, seen: number, limit: number): readonly string[] =>
  seen > limit ? [`${what}: ${seen}, not ${limit}`] : [];

function atOnce(sent: readonly Span[]): number {
  const changes = sent.flatMap(({ from, to }) => [
    { at: from, by: 1 },
    { at: to, by: -1 },
  ]);
  // What ends frees its slot for what begins at the same time.
  changes.sort((a, b) => a.at - b.at || a.by - b.by);
  let [now, most] = [0, 0];
  for (const { by } of changes) most = Math.max(most, (now += by));
  return most;
}

/** Milliseconds that a sent request may take to arrive. */
const longestTravel = 3000;

/** A request arrives at some time between being sent and being answered: counted as early and as late as possible. */
const inMinute = (sent: readonly Span[]): number =>
  atOnce(sent.map(({ from, to }) => ({ from, to: Math.min(to, from + longestTravel) + minute })));
