import { probeKeyOf } from '../cell/cell-key.js';
import type { Budget, Config } from '../config/config.js';
import { shareOfLimit } from '../config/accounts.js';
import { mostFreshTrials } from '../decide/wire/fresh-exchanges.js';
import { groupBy } from '../json/group-by.js';
import { aPlan } from '../options/arguments.js';
import { checkOptions, type OptionTable } from '../options/check-options.js';
import { checkFirst } from '../options/first-argument.js';
import { aMap, aWhole } from '../options/kinds.js';
import type { Plan, Reserve, Ticket } from '../plan/ticket.js';
import {
  estimateCell,
  estimateControl,
  estimateTrials,
  sumOfRanges,
  type Amount,
  type CellEstimate,
  type Range,
} from './estimate-cell.js';
import { leastTime, type Sending } from './least-time.js';

export interface Estimate extends Amount {
  readonly cells: readonly CellEstimate[];
  /** One for each model that is asked anything; the totals include them. */
  readonly controls: number;
  /** Least time under the limits of the targets, in seconds, if every answer takes one second. */
  readonly seconds: Range;
}

const sendingTable: OptionTable<Sending> = { accounts: aMap, shards: aWhole(1) };

/** What a plan will take, before anything is sent. */
export function estimate(plan: Plan, config: Config, sending: Sending = {}): Estimate {
  checkFirst('estimate', plan, aPlan);
  checkOptions('`estimate`', sending, sendingTable);
  const blocked = knownBlocked(plan.tickets);
  const failed = new Set(plan.lastFailed?.cells);
  const cells = plan.tickets.map((ticket) => {
    const amount = estimateCell(ticket, failed.has(ticket.cell.key));
    return blocked.has(ticket.cell.key) ? unexpected(amount) : amount;
  });
  const asked = new Map(
    plan.tickets.filter(({ cell }) => cell.unmeetable === null).map(({ cell }) => [cell.model.key, cell.model]),
  );
  const controls = [...asked.values()].map(estimateControl);
  const all = [...cells, ...controls, ...estimateReserve(plan.reserve), ...estimateFreshTrials(plan)];
  const costs = all.flatMap(({ cost }) => cost ?? []);
  return {
    cells,
    controls: controls.length,
    requests: sumOfRanges(all.map(({ requests }) => requests)),
    tokens: sumOfRanges(all.map(({ tokens }) => tokens)),
    cost: costs.length === 0 ? null : sumOfRanges(costs),
    seconds: leastTime(config.targets, all, sending),
  };
}

/** Cells that need one which is known to fail: they are asked only if that has changed. */
function knownBlocked(tickets: readonly Ticket[]): ReadonlySet<string> {
  const unmet = new Set<string>();
  const blocked = new Set<string>();
  // Needs come first.
  for (const { cell, expected } of tickets) {
    if (cell.needs.some((need) => unmet.has(need))) blocked.add(cell.key);
    if (blocked.has(cell.key) || (expected.kind === 'entry' && expected.entry.verdict === 'fail')) unmet.add(cell.key);
  }
  return blocked;
}

/** None of the reserve is expected. At most, every question arises and each probe asks its most expensive points. */
function estimateReserve(reserve: readonly Reserve[]): readonly CellEstimate[] {
  const rooms = new Map<string, number>();
  const heaviestFirst = reserve
    .map(({ ticket, settles }) => ({ ticket, settles, amount: estimateCell(ticket) }))
    .sort((a, b) => b.amount.requests.largest - a.amount.requests.largest);
  return heaviestFirst.flatMap(({ ticket: { cell }, settles, amount }) => {
    const group = probeKeyOf(cell);
    const room = rooms.get(group) ?? (settles.kind === 'condition' ? settles.most : Infinity);
    rooms.set(group, room - 1);
    return room > 0 ? [unexpected(amount)] : [];
  });
}

/** Trials that are asked once more to see whether a new quirk is the rule. At most, the heaviest cell shows all of them. */
function estimateFreshTrials({ tickets, acceptedWire }: Plan): readonly CellEstimate[] {
  const askable = tickets.filter(
    ({ cell, confirm }) => confirm && cell.unmeetable === null && acceptedWire.has(cell.model.key),
  );
  return [...groupBy(askable, ({ cell }) => cell.model.key).values()].flatMap((ofModel) =>
    ofModel
      .map((ticket) => estimateTrials(ticket, { expected: 0, largest: mostFreshTrials }))
      .sort((a, b) => b.requests.largest - a.requests.largest || b.tokens.largest - a.tokens.largest)
      .slice(0, 1),
  );
}

/** The same, not expected. */
function unexpected(amount: CellEstimate): CellEstimate {
  const none = ({ largest }: Range): Range => ({ expected: 0, largest });
  return {
    ...amount,
    ...{ requests: none(amount.requests), tokens: none(amount.tokens), cost: amount.cost && none(amount.cost) },
  };
}

/** A limit of the budget that the plan may reach. */
export interface ShortBudget {
  readonly unit: keyof Budget;
  /** The part of this shard. */
  readonly limit: number;
  /** Less than what is expected: the run will stop early. Less than the most: it may. */
  readonly below: keyof Range;
}

/**
 * The limits that stop a run before everything is asked, surely or perhaps.
 * @param share the part of the budget that this run may use, above 0 and up to 1
 */
export function shortBudgets(amount: Amount, budget: Budget, share = 1): readonly ShortBudget[] {
  return (['requests', 'tokens', 'cost'] as const).flatMap((unit): readonly ShortBudget[] => {
    const [whole, range] = [budget[unit], amount[unit]];
    if (whole === null || range === null) return [];
    const limit = unit === 'cost' ? whole * share : shareOfLimit(whole, share);
    const below = limit < range.expected ? 'expected' : limit < range.largest ? 'largest' : null;
    return below === null ? [] : [{ unit, limit, below }];
  });
}
