import { withLabels } from '../cell/axis-labels.js';
import { probeKeyOf } from '../cell/cell-key.js';
import { meetsNeed } from '../cell/verdict.js';
import { assumedOutputTokens, outputCap } from '../chat/tokens.js';
import { shareOfLimit, strictest } from '../config/accounts.js';
import type { Budget, Config, ModelConfig, TargetConfig } from '../config/config.js';
import type { TrialRange } from '../decide/course.js';
import { courseCost } from '../decide/courses/courses.js';
import { mostFreshTrials } from '../decide/wire/fresh-exchanges.js';
import { groupBy } from '../json/group-by.js';
import { type Json, type JsonObject, writtenJson } from '../json/json.js';
import { assemble } from '../plan/request/request-body.js';
import { expectedVerdict, requestsAtOnce, type Plan, type Reserve, type PlannedCell } from '../plan/plan.js';

interface Estimate extends Amount {
  readonly cells: readonly CellEstimate[];
  /** One for each model that is asked anything; the totals include them. */
  readonly controls: number;
  /** Least time under the limits of the targets, in seconds, at the pace of the answers that were seen. */
  readonly seconds: Range;
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
): Range {
  const byModel = groupBy(amounts, ({ model }) => model);
  // A target that is asked nothing does not hold back the others of its account.
  const asked = targets.filter(({ models }) => models.some(({ key }) => byModel.has(key)));
  const ofAccounts = [...groupBy(asked, ({ name }) => accounts?.get(name) ?? name).values()];
  const share = 1 / shards;
  const secondsOf = (ofAccount: readonly TargetConfig[], which: keyof Range): number => {
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

/** The expected amount and the most it can become. */
export type Range = TrialRange;

/** Without faults that are sent again, which cannot be planned. */
interface Amount {
  readonly requests: Range;
  /** A quarter of the prompt's bytes, and for the answer what is usual, at most the output cap. */
  readonly tokens: Range;
  /** In the currency of the prices; null without a price. */
  readonly cost: Range | null;
}

export interface CellEstimate extends Amount {
  readonly key: string;
  readonly model: string;
}

const rangeOf = (of: (which: keyof Range) => number): Range => ({
  expected: of('expected'),
  largest: of('largest'),
});

const sumOfRanges = (ranges: readonly Range[]): Range =>
  rangeOf((which) => ranges.reduce((sum, range) => sum + range[which], 0));

/** The amount of one cell; nothing when it is not asked. */
export function estimateCell(planned: PlannedCell): CellEstimate {
  const isAsked = planned.cell.unmeetable === null;
  return estimateTrials(planned, isAsked ? courseCost(planned) : { expected: 0, largest: 0 });
}

function estimateTrials(planned: PlannedCell, asked: TrialRange): CellEstimate {
  const { cell } = planned;
  const trials = { expected: asked.expected * requestsAtOnce(cell), largest: asked.largest * requestsAtOnce(cell) };
  const { key, model, probe } = cell;
  const asking = probe.steps.filter((step) => step.kind === 'ask').map(({ id }) => id);
  const steps = probe.enforce === null ? asking : ['request'];
  const kind = probe.enforce === null ? 'trial' : 'invalid';
  const bodies = steps.map((step) => assemble(cell, { kind, patch: {} }, step));
  const each = requestsATrial(planned, bodies.length);
  const requests = Math.max(1, bodies.length);
  const total = (of: (body: JsonObject) => number): number => bodies.reduce((tokens, body) => tokens + of(body), 0);
  const capOf = (body: JsonObject): number => outputCap(body, model.rename) ?? assumedOutputTokens;
  const most = Math.max(total(capOf), bodies.length * (probe.find?.axis === 'max_tokens' ? probe.find.to : 0));
  // A refusal is not billed.
  const share = isKnownRefusal(planned) ? 0 : each.expected / requests;
  const retries = each.largest / requests;
  const prompt = scaledRange(trials, total((body) => promptTokens(cell, body)) * share, total(bodyTokens) * retries);
  const output = scaledRange(trials, total((body) => answerTokens(cell, body, capOf(body))) * share, most * retries);
  return { key, requests: scaledRange(trials, each.expected, each.largest), ...used(model, prompt, output) };
}

/** The request that opens a model. */
function estimateControl(model: ModelConfig): CellEstimate {
  const output = { expected: usualOutputTokens, largest: 256 };
  return {
    key: model.key,
    requests: rangeOf(() => 1),
    ...used(
      model,
      rangeOf(() => 25),
      output,
    ),
  };
}

const scaledRange = ({ expected, largest }: TrialRange, usual: number, most: number): Range => ({
  expected: Math.round(expected * usual),
  largest: largest * most,
});

const used = ({ key, price }: ModelConfig, prompt: Range, output: Range): Omit<CellEstimate, 'key' | 'requests'> => ({
  model: key,
  tokens: sumOfRanges([prompt, output]),
  cost: price && rangeOf((which) => (prompt[which] * price.prompt + output[which] * price.completion) / 1e6),
});

/** A server error that belongs to the request is asked twice, then a control, then once more. */
const requestsOfServerError = 4;

/**
 * How many requests a trial takes: those of its steps, and what the client's own retries add. A cell that is known to
 * fail ends its flow early.
 */
function requestsATrial({ cell: { probe }, expected }: PlannedCell, steps: number): Range {
  const { retry } = probe;
  const largest = steps * (1 + (retry?.max ?? 0));
  if (expected.kind !== 'entry' || expected.entry.verdict !== 'fail') return { expected: steps, largest };
  const { class: failure, status } = expected.entry;
  const isServerError = failure === 'http_error' && status !== null && status >= 500;
  // A flow fails at the first step or at a later one.
  return { expected: (1 + steps) / 2 + (isServerError ? requestsOfServerError - 1 : 0), largest };
}

const isKnownRefusal = ({ expected }: PlannedCell): boolean =>
  expected.kind === 'entry' && expected.entry.verdict === 'fail' && expected.entry.class === 'http_error';

/**
 * Output tokens of a usual answer to the built-in probes. Caps are far above it, so that no answer is cut; a model that
 * reasons takes more. Those that ask for a plain text want a sentence or two.
 */
const usualOutputTokens = 100;
const usualTextTokens = 40;

/** Bytes of JSON a token: more of it are single characters than in a text. */
const bytesOfJson = 2.5;
const bytesOfText = 4;

const bytesIn = (value: Json): number => Buffer.byteLength(writtenJson(value));

/** Tokens of what a model reads: messages and tools, with the values of the first sample. */
function promptTokens({ probe }: PlannedCell['cell'], { messages = [], tools = null }: JsonObject): number {
  const values = Object.entries({ ...probe.vars, ...probe.samples[0] });
  const texts = values.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []));
  const read = withLabels(writtenJson([messages, tools]), Object.fromEntries(texts));
  return Math.ceil(Buffer.byteLength(read) / bytesOfText);
}

/** Tokens of the whole body, for a service that counts schemas, too. */
const bodyTokens = (body: JsonObject): number => Math.ceil(bytesIn(body) / bytesOfText);

/** Tokens of a usual answer to this body; never more than its cap. */
function answerTokens({ probe: { enforce } }: PlannedCell['cell'], body: JsonObject, cap: number): number {
  const isPlain = body['response_format'] === undefined && body['tools'] === undefined;
  const ofDocument = enforce === null ? usualOutputTokens : Math.ceil(bytesIn(enforce.valid) / bytesOfJson);
  return Math.min(cap, enforce === null && isPlain ? usualTextTokens : ofDocument);
}
