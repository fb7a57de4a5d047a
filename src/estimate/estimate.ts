import { probeKeyOf } from '../cell/cell-key.js';
import type { Config } from '../config/config.js';
import { mostFreshTrials } from '../decide/wire/fresh-exchanges.js';
import { groupBy } from '../json/group-by.js';
import type { Plan, Reserve, Ticket } from '../plan/ticket.js';
import { checkOptions, type OptionTable } from '../options/check-options.js';
import { aMap, aWhole } from '../options/kinds.js';
import { sum, totalCost, type Amount, type Range } from './amount.js';
import {
  estimateCell,
  estimateControl,
  estimateTrials,
  atItsMost,
  unexpected,
  type CellEstimate,
  type Sending,
} from './estimate-cell.js';
import { leastTime } from './least-time.js';
import { aPlan } from '../options/arguments.js';
import { checkFirst } from '../options/first-argument.js';

export type { Amount, LikelyRange, Range } from './amount.js';
export type { CellEstimate, Sending } from './estimate-cell.js';

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
    const amount = estimateCell(ticket);
    if (blocked.has(ticket.cell.key)) return unexpected(amount);
    // No baseline says what a new cell does, but the run before did.
    return ticket.expected.kind === 'new' && failed.has(ticket.cell.key) ? atItsMost(amount) : amount;
  });
  const asked = new Map(
    plan.tickets.filter(({ cell }) => cell.unmeetable === null).map(({ cell }) => [cell.model.key, cell.model]),
  );
  const controls = [...asked.values()].map(estimateControl);
  const all = [...cells, ...controls, ...estimateReserve(plan.reserve), ...estimateFreshTrials(plan)];
  return {
    cells,
    controls: controls.length,
    requests: sum(all.map(({ requests }) => requests)),
    tokens: sum(all.map(({ tokens }) => tokens)),
    cost: totalCost(all),
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
function estimateReserve(reserve: readonly Reserve[]): CellEstimate[] {
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
function estimateFreshTrials({ tickets, acceptedWire }: Plan): CellEstimate[] {
  const askable = tickets.filter(
    ({ cell, confirm }) => confirm && cell.unmeetable === null && acceptedWire.has(cell.model.key),
  );
  const trials = { expected: 0, largest: mostFreshTrials, likely: [0, 0] } as const;
  return [...groupBy(askable, ({ cell }) => cell.model.key).values()].flatMap((ofModel) => {
    const amounts = ofModel.map((ticket) => estimateTrials(ticket, trials));
    const [heaviest] = amounts.sort(
      (a, b) => b.requests.largest - a.requests.largest || b.tokens.largest - a.tokens.largest,
    );
    return heaviest === undefined ? [] : [heaviest];
  });
}
