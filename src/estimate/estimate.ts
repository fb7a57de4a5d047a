import { probeKeyOf } from '../cell/cell-key.js';
import { meetsNeed } from '../cell/verdict.js';
import { shareOfLimit, strictest } from '../config/accounts.js';
import type { Budget, Config, ModelConfig, TargetConfig } from '../config/config.js';
import type { TrialRange } from '../decide/course.js';
import { mostFreshTrials } from '../decide/wire/fresh-exchanges.js';
import { groupBy } from '../json/group-by.js';
import { expectedVerdict, type Plan, type PlannedCell, type Reserve } from '../plan/plan.js';
import {
  type Amount,
  type CellEstimate,
  estimateCell,
  estimateControl,
  estimateTrials,
  rangeOf,
  sumOfRanges,
} from './cell-estimate.js';

interface Estimate extends Amount {
  readonly cells: readonly CellEstimate[];
  /** One for each model that is asked anything; the totals include them. */
  readonly controls: number;
  /** Least time under the limits of the targets, in seconds, at the pace of the answers that were seen. */
  readonly seconds: TrialRange;
  /** Planned models of which no answer was seen: each of theirs is assumed to take one second. */
  readonly unseen: readonly string[];
}

/** How the requests are sent, as far as it holds them back. */
interface SendingConditions {
  /**
   * Account by target: those of one account share its limits, the strictest of theirs; absent: each target has its own.
   */
  readonly accounts?: ReadonlyMap<string, string>;
  /** Among how many shards every limit is divided; default 1. */
  readonly shards?: number;
  /** Seconds that an answer of a model takes, by `TARGET/MODEL`, as earlier runs saw it. */
  readonly paces?: ReadonlyMap<string, number>;
}

/** The requests, tokens, cost and time of a plan, before anything is sent. */
export function estimate(plan: Plan, config: Config, sending: SendingConditions = {}): Estimate {
  const blocked = knownBlocked(plan.cells);
  const cells = plan.cells.map((planned) => {
    const amount = estimateCell(planned);
    return blocked.has(planned.cell.key) ? withoutExpected(amount) : amount;
  });
  const asked = new Map(
    plan.cells.filter(({ cell }) => cell.unmeetable === null).map(({ cell }) => [cell.model.key, cell.model]),
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
    unseen: [...asked.keys()].filter((model) => sending.paces?.has(model) !== true),
  };
}

/** Cells that need one which is known to fail: they are asked only if that has changed. */
function knownBlocked(cells: readonly PlannedCell[]): ReadonlySet<string> {
  const unmet = new Set<string>();
  const blocked = new Set<string>();
  // Needs come first.
  for (const planned of cells) {
    const { key, needs } = planned.cell;
    if (needs.some((need) => unmet.has(need))) blocked.add(key);
    if (blocked.has(key) || !meetsNeed(expectedVerdict(planned))) unmet.add(key);
  }
  return blocked;
}

/** None of the reserve is expected. At most, every question arises and each probe asks its most expensive points. */
function estimateReserve(reserve: readonly Reserve[]): readonly CellEstimate[] {
  return [...groupBy(reserve, ({ planned }) => probeKeyOf(planned.cell)).values()].flatMap((ofProbe) => {
    const most = Math.max(...ofProbe.map(({ settles }) => (settles.kind === 'condition' ? settles.most : Infinity)));
    return heaviest(
      ofProbe.map(({ planned }) => estimateCell(planned)),
      most,
    ).map(withoutExpected);
  });
}

/**
 * Trials that are asked once more to see whether a new quirk is the rule. At most, the heaviest cell shows all of them.
 */
function estimateFreshTrials({ cells, acceptedWire }: Plan): readonly CellEstimate[] {
  const askable = cells.filter(
    ({ cell, confirm }) => confirm && cell.unmeetable === null && acceptedWire.has(cell.model.key),
  );
  const fresh = askable.map((planned) => estimateTrials(planned, { expected: 0, largest: mostFreshTrials }));
  return [...groupBy(fresh, ({ model }) => model).values()].flatMap((ofModel) => heaviest(ofModel, 1));
}

const heaviest = (amounts: readonly CellEstimate[], most: number): readonly CellEstimate[] =>
  amounts
    .toSorted((a, b) => b.requests.largest - a.requests.largest || b.tokens.largest - a.tokens.largest)
    .slice(0, most);

/** The same, not expected. */
function withoutExpected({ requests, tokens, cost, ...cell }: CellEstimate): CellEstimate {
  const none = ({ largest }: TrialRange): TrialRange => ({ expected: 0, largest });
  return { ...cell, requests: none(requests), tokens: none(tokens), cost: cost && none(cost) };
}

/** A limit of the budget that the plan may reach. */
export interface ShortBudget {
  readonly unit: keyof Budget;
  /** The part of this shard. */
  readonly limit: number;
  /** Less than what is expected: the run will stop early. Less than the most: it may. */
  readonly below: keyof TrialRange;
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
    if (limit < range.expected) return [{ unit, limit, below: 'expected' }];
    return limit < range.largest ? [{ unit, limit, below: 'largest' }] : [];
  });
}

/** Seconds that an answer is assumed to take where none was seen. */
const assumedSeconds = 1;

/**
 * The least time in which the limits of the targets let all of this finish, in seconds; accounts are asked side by
 * side.
 */
function leastTime(
  targets: readonly TargetConfig[],
  amounts: readonly CellEstimate[],
  { accounts, shards = 1, paces }: SendingConditions,
): TrialRange {
  const byModel = groupBy(amounts, ({ model }) => model);
  // A target that is asked nothing does not hold back the others of its account.
  const asked = targets.filter(({ models }) => models.some(({ key }) => byModel.has(key)));
  const ofAccounts = [...groupBy(asked, ({ name }) => accounts?.get(name) ?? name).values()];
  const share = 1 / shards;
  const secondsOf = (ofAccount: readonly TargetConfig[], which: keyof TrialRange): number => {
    const limits = ofAccount.map((target) => target.limits).reduce(strictest);
    const models = ofAccount.flatMap((target) => target.models);
    const sum = (unit: 'requests' | 'tokens', some: readonly ModelConfig[] = models): number =>
      sumOfRanges(some.flatMap(({ key }) => byModel.get(key) ?? []).map((amount) => amount[unit]))[which];
    const inTurn = (some: readonly ModelConfig[], concurrency: number): number => {
      const requests = sum('requests', some);
      if (requests === 0) return 0;
      const work = some.reduce((all, one) => all + sum('requests', [one]) * (paces?.get(one.key) ?? assumedSeconds), 0);
      return Math.ceil(requests / Math.max(1, shareOfLimit(concurrency, share))) * (work / requests);
    };
    return Math.max(
      inTurn(models, limits.concurrency),
      rateLimitWait(sum('requests'), limits.requestsPerMinute, share),
      rateLimitWait(sum('tokens'), limits.tokensPerMinute, share),
      ...models.map((model) => inTurn([model], Math.min(model.concurrency ?? Infinity, limits.concurrency))),
    );
  };
  return rangeOf((which) => Math.max(0, ...ofAccounts.map((ofAccount) => secondsOf(ofAccount, which))));
}

/**
 * In seconds. A sliding window sends the first minute's worth at once, and each further one a minute later; a share of
 * less than one a minute makes the window longer.
 */
function rateLimitWait(amount: number, perMinute: number | null, share: number): number {
  if (perMinute === null || amount === 0) return 0;
  const most = shareOfLimit(perMinute, share);
  return most >= 1 ? (Math.ceil(amount / most) - 1) * 60 : Math.floor(((amount - 1) * 60) / (perMinute * share));
}
