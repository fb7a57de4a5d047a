import { probeKeyOf } from '../cell/cell-key.js';
import { assumedOutputTokens, outputCap } from '../chat/output-cap.js';
import { strictest } from '../config/accounts.js';
import type { Config, Limits, ModelConfig, TargetConfig } from '../config/config.js';
import { shareOfLimit } from '../config/share-of-limit.js';
import type { TrialRange } from '../decide/course.js';
import { courseCost } from '../decide/courses/courses.js';
import { mostFreshTrials } from '../decide/wire/fresh-exchanges.js';
import { groupBy } from '../json/group-by.js';
import type { JsonObject } from '../json/json.js';
import { assemble } from '../plan/request/assemble-body.js';
import type { Plan, Reserve, Ticket } from '../plan/ticket.js';
import { checkOptions, type OptionTable } from '../options/check-options.js';
import { aMap, aWhole } from '../options/kinds.js';

/** The likely amount and the most it can become. */
export interface Range {
  readonly expected: number;
  readonly largest: number;
}

/** Without faults that are sent again and controls after a repeated 5xx, which cannot be planned. */
export interface Amount {
  readonly requests: Range;
  /** A quarter of the body's bytes, and for the answer what is usual, at most the output cap. */
  readonly tokens: Range;
  /** In the currency of the prices; null without a price. */
  readonly cost: Range | null;
}

export interface CellEstimate extends Amount {
  readonly key: string;
  readonly model: string;
}

export interface Estimate extends Amount {
  readonly cells: readonly CellEstimate[];
  /** One for each model that is asked anything; the totals include them. */
  readonly controls: number;
  /** Least time under the limits of the targets, in seconds, if every answer takes one second. */
  readonly seconds: Range;
}

/**
 * Output tokens of a usual answer to the built-in probes. Caps are far above it, so that no answer is cut; a model that
 * reasons takes more.
 */
const usualOutputTokens = 100;

/** How the requests are sent, as far as it holds them back. */
export interface Sending {
  /** Account by target: those of one account share its limits, the strictest of theirs; absent: each target has its own. */
  readonly accounts?: ReadonlyMap<string, string>;
  /** Among how many shards every limit is divided; default 1. */
  readonly shards?: number;
}

const sendingTable: OptionTable<Sending> = { accounts: aMap, shards: aWhole(1) };

/** What a plan will take, before anything is sent. */
export function estimate(plan: Plan, config: Config, sending: Sending = {}): Estimate {
  checkOptions('`estimate`', sending, sendingTable);
  const cells = plan.tickets.map(estimateCell);
  const asked = new Map(
    plan.tickets.filter(({ cell }) => cell.unmeetable === null).map(({ cell }) => [cell.model.key, cell.model]),
  );
  const controls = [...asked.values()].map(estimateControl);
  const all = [...cells, ...controls, ...estimateReserve(plan.reserve), ...estimateFreshTrials(plan)];
  const loads = loadsOf(config.targets, all, sending);
  return {
    cells,
    controls: controls.length,
    requests: sum(all.map(({ requests }) => requests)),
    tokens: sum(all.map(({ tokens }) => tokens)),
    cost: totalCost(all),
    seconds: { expected: leastSeconds(loads, 'expected'), largest: leastSeconds(loads, 'largest') },
  };
}

/** What one cell will take; nothing when it is not asked. */
export function estimateCell(ticket: Ticket): CellEstimate {
  return estimateTrials(ticket, ticket.cell.unmeetable === null ? courseCost(ticket) : { expected: 0, largest: 0 });
}

function estimateTrials({ cell }: Ticket, trials: TrialRange): CellEstimate {
  const { key, model, probe } = cell;
  const steps =
    probe.enforce === null ? probe.steps.filter((step) => step.kind === 'ask').map(({ id }) => id) : ['request'];
  const kind = probe.enforce === null ? 'trial' : 'invalid';
  const bodies = steps.map((step) => assemble(cell, { kind, patch: {} }, step));
  const retries = 1 + (probe.retry?.max ?? 0);
  const each: Range = { expected: bodies.length, largest: bodies.length * retries };
  const requests: Range = {
    expected: trials.expected * each.expected,
    largest: trials.largest * each.largest,
  };
  const prompt = bodies.reduce((tokens, body) => tokens + promptTokens(body), 0);
  const caps = bodies.map((body) => outputCap(body, model.rename) ?? assumedOutputTokens);
  const output = caps.reduce((tokens, cap) => tokens + cap, 0);
  const usual = caps.reduce((tokens, cap) => tokens + Math.min(cap, usualOutputTokens), 0);
  const most = Math.max(output, bodies.length * (probe.find?.axis === 'max_tokens' ? probe.find.to : 0));
  const usage = {
    prompt: { expected: prompt * trials.expected, largest: prompt * retries * trials.largest },
    output: { expected: usual * trials.expected, largest: most * retries * trials.largest },
  };
  return { key, model: model.key, requests, tokens: sum([usage.prompt, usage.output]), cost: costOf(model, usage) };
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
  return [...groupBy(askable, ({ cell }) => cell.model.key).values()].flatMap((ofModel) => {
    const amounts = ofModel.map((ticket) => estimateTrials(ticket, { expected: 0, largest: mostFreshTrials }));
    const [heaviest] = amounts.sort(
      (a, b) => b.requests.largest - a.requests.largest || b.tokens.largest - a.tokens.largest,
    );
    return heaviest === undefined ? [] : [heaviest];
  });
}

function unexpected({ key, model, requests, tokens, cost }: CellEstimate): CellEstimate {
  const none = ({ largest }: Range): Range => ({ expected: 0, largest });
  return { key, model, requests: none(requests), tokens: none(tokens), cost: cost && none(cost) };
}

function estimateControl(model: ModelConfig): CellEstimate {
  const prompt = { expected: 25, largest: 25 };
  const output = { expected: usualOutputTokens, largest: 256 };
  const requests = { expected: 1, largest: 1 };
  const { key } = model;
  return { key, model: key, requests, tokens: sum([prompt, output]), cost: costOf(model, { prompt, output }) };
}

function promptTokens(body: JsonObject): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify(body)) / 4);
}

function costOf({ price }: ModelConfig, usage: { readonly prompt: Range; readonly output: Range }): Range | null {
  if (price === null) return null;
  const of = (which: keyof Range): number =>
    (usage.prompt[which] * price.prompt + usage.output[which] * price.completion) / 1e6;
  return { expected: of('expected'), largest: of('largest') };
}

function totalCost(amounts: readonly Amount[]): Range | null {
  const priced = amounts.flatMap(({ cost }) => (cost === null ? [] : [cost]));
  return priced.length === 0 ? null : sum(priced);
}

function sum(ranges: readonly Range[]): Range {
  const of = (which: keyof Range): number => ranges.reduce((total, range) => total + range[which], 0);
  return { expected: of('expected'), largest: of('largest') };
}

function loadsOf(
  targets: readonly TargetConfig[],
  amounts: readonly CellEstimate[],
  { accounts, shards = 1 }: Sending,
): readonly Load[] {
  const byModel = groupBy(amounts, ({ model }) => model);
  // A target that is asked nothing does not hold back the others of its account.
  const asked = targets.filter(({ models }) => models.some(({ key }) => byModel.has(key)));
  return [...groupBy(asked, ({ name }) => accounts?.get(name) ?? name).values()].flatMap((ofAccount) => {
    const [first] = ofAccount;
    if (first === undefined) return [];
    const limits = ofAccount.map((target) => target.limits).reduce(strictest, first.limits);
    const models = ofAccount.flatMap((target) =>
      target.models.map((model) => {
        const own = byModel.get(model.key) ?? [];
        return {
          concurrency: Math.min(model.concurrency ?? Infinity, target.limits.concurrency),
          requests: sum(own.map(({ requests }) => requests)),
          tokens: sum(own.map(({ tokens }) => tokens)),
        };
      }),
    );
    return [{ limits, models, share: 1 / shards }];
  });
}

/** What is sent to one account. */
interface Load {
  readonly limits: Limits;
  /** The part of the limits that may be used. */
  readonly share: number;
  readonly models: readonly {
    readonly concurrency: number;
    readonly requests: Range;
    readonly tokens: Range;
  }[];
}

/** Seconds that an answer is assumed to take, since that cannot be known in advance. */
const assumedSeconds = 1;

/** The least time in which the limits let the loads finish, in seconds; accounts are asked side by side. */
function leastSeconds(loads: readonly Load[], which: keyof Range): number {
  return Math.max(0, ...loads.map((load) => ofAccount(load, which)));
}

function ofAccount({ limits, models, share }: Load, which: keyof Range): number {
  const requests = models.reduce((sum, model) => sum + model.requests[which], 0);
  const tokens = models.reduce((sum, model) => sum + model.tokens[which], 0);
  const atOnce = (limit: number): number => Math.max(1, shareOfLimit(limit, share));
  const byModel = models.map(
    ({ concurrency, requests: own }) =>
      Math.ceil(own[which] / atOnce(Math.min(concurrency, limits.concurrency))) * assumedSeconds,
  );
  return Math.max(
    Math.ceil(requests / atOnce(limits.concurrency)) * assumedSeconds,
    waiting(requests, limits.requestsPerMinute, share),
    waiting(tokens, limits.tokensPerMinute, share),
    ...byModel,
  );
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
