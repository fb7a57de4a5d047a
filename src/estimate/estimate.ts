import { probeKeyOf } from '../cell/cell-key.js';
import { shareOfLimit, strictest } from '../config/accounts.js';
import type { Budget, Config, TargetConfig } from '../config/config.js';
import { mostFreshTrials } from '../decide/wire/fresh-exchanges.js';
import { groupBy } from '../json/group-by.js';
import { checkOptions, type OptionTable } from '../options/check-options.js';
import { aMap, aWhole } from '../options/kinds.js';
import type { Plan, Reserve, Ticket } from '../plan/ticket.js';
import {
  estimateCell,
  estimateControl,
  estimateTrials,
  rangeOf,
  sumOfRanges,
  type Amount,
  type CellEstimate,
  type Range,
} from './estimate-cell.js';

export interface Estimate extends Amount {
  readonly cells: readonly CellEstimate[];
  /** One for each model that is asked anything; the totals include them. */
  readonly controls: number;
  /** Least time under the limits of the targets, in seconds, if every answer takes one second. */
  readonly seconds: Range;
}

/** How the requests are sent, as far as it holds them back. */
interface Sending {
  /** Account by target: those of one account share its limits, the strictest of theirs; absent: each target has its own. */
  readonly accounts?: ReadonlyMap<string, string>;
  /** Among how many shards every limit is divided; default 1. */
  readonly shards?: number;
}

const sendingTable: OptionTable<Sending> = { accounts: aMap, shards: aWhole(1) };

/** What a plan will take, before anything is sent. */
export function estimate(plan: Plan, config: Config, sending: Sending = {}): Estimate {
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
  return [...groupBy(reserve, ({ ticket }) => probeKeyOf(ticket.cell)).values()].flatMap((ofProbe) => {
    const most = Math.max(...ofProbe.map(({ settles }) => (settles.kind === 'condition' ? settles.most : Infinity)));
    return heaviest(
      ofProbe.map(({ ticket }) => estimateCell(ticket)),
      most,
    ).map(unexpected);
  });
}

/** Trials that are asked once more to see whether a new quirk is the rule. At most, the heaviest cell shows all of them. */
function estimateFreshTrials({ tickets, acceptedWire }: Plan): readonly CellEstimate[] {
  const askable = tickets.filter(
    ({ cell, confirm }) => confirm && cell.unmeetable === null && acceptedWire.has(cell.model.key),
  );
  const fresh = askable.map((ticket) => estimateTrials(ticket, { expected: 0, largest: mostFreshTrials }));
  return [...groupBy(fresh, ({ model }) => model).values()].flatMap((ofModel) => heaviest(ofModel, 1));
}

const heaviest = (amounts: readonly CellEstimate[], most: number): readonly CellEstimate[] =>
  amounts
    .toSorted((a, b) => b.requests.largest - a.requests.largest || b.tokens.largest - a.tokens.largest)
    .slice(0, most);

/** The same, not expected. */
function unexpected({ requests, tokens, cost, ...cell }: CellEstimate): CellEstimate {
  const none = ({ largest }: Range): Range => ({ expected: 0, largest });
  return { ...cell, requests: none(requests), tokens: none(tokens), cost: cost && none(cost) };
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

/** Seconds that an answer is assumed to take, since that cannot be known in advance. */
const assumedSeconds = 1;

/** The least time in which the limits of the targets let all of this finish, in seconds; accounts are asked side by side. */
function leastTime(
  targets: readonly TargetConfig[],
  amounts: readonly CellEstimate[],
  { accounts, shards = 1 }: Sending,
): Range {
  const byModel = groupBy(amounts, ({ model }) => model);
  // A target that is asked nothing does not hold back the others of its account.
  const asked = targets.filter(({ models }) => models.some(({ key }) => byModel.has(key)));
  const ofAccounts = [...groupBy(asked, ({ name }) => accounts?.get(name) ?? name).values()];
  const share = 1 / shards;
  const secondsOf = (ofAccount: readonly TargetConfig[], which: keyof Range): number => {
    const limits = ofAccount.map((target) => target.limits).reduce(strictest);
    const models = ofAccount.flatMap((target) => target.models);
    const sum = (unit: 'requests' | 'tokens', some = models): number =>
      sumOfRanges(some.flatMap(({ key }) => byModel.get(key) ?? []).map((amount) => amount[unit]))[which];
    const inTurn = (requests: number, concurrency: number): number =>
      Math.ceil(requests / Math.max(1, shareOfLimit(concurrency, share))) * assumedSeconds;
    return Math.max(
      inTurn(sum('requests'), limits.concurrency),
      waiting(sum('requests'), limits.requestsPerMinute, share),
      waiting(sum('tokens'), limits.tokensPerMinute, share),
      ...models.map((model) =>
        inTurn(sum('requests', [model]), Math.min(model.concurrency ?? Infinity, limits.concurrency)),
      ),
    );
  };
  return rangeOf((which) => Math.max(0, ...ofAccounts.map((ofAccount) => secondsOf(ofAccount, which))));
}

/**
 * In seconds. A sliding window sends the first minute's worth at once, and each further one a minute later; a share of
 * less than one a minute makes the window longer.
 */
function waiting(amount: number, perMinute: number | null, share: number): number {
  if (perMinute === null || amount === 0) return 0;
  const most = shareOfLimit(perMinute, share);
  return most >= 1 ? (Math.ceil(amount / most) - 1) * 60 : Math.floor(((amount - 1) * 60) / (perMinute * share));
}
