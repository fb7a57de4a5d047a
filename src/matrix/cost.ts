import { compareTexts } from '../json/compare-texts.js';
import { groupBy } from '../json/group-by.js';
import type { ModelConfig, TargetConfig } from '../config/config.js';
import { noUsage, type Gathered, type Spent, type Usage } from './gathered.js';
import type { AnswerTimes, Report, ReportCell, ReportLatency } from './report-format.js';

type SpendEntry = NonNullable<Report['spend']>[number];

/** The tokens of all models together. */
export function usageOf({ models }: Gathered): Usage {
  return [...models.values()].map(({ usage }) => usage).reduce(sumOfUsage, noUsage);
}

export function sumOfUsage(a: Usage, b: Usage): Usage {
  return {
    prompt_tokens: a.prompt_tokens + b.prompt_tokens,
    completion_tokens: a.completion_tokens + b.completion_tokens,
    reasoning_tokens: a.reasoning_tokens + b.reasoning_tokens,
    ...cachedTokens((a.cached_tokens ?? 0) + (b.cached_tokens ?? 0)),
    total_tokens: a.total_tokens + b.total_tokens,
  };
}

const cachedTokens = (count: number): Pick<Usage, 'cached_tokens'> => (count > 0 ? { cached_tokens: count } : {});

/** How long answers took, in the order of these models, with what one costs. */
export function latencyOf(
  { times = new Map() }: Pick<Gathered, 'times'>,
  models: readonly string[],
  targets: readonly TargetConfig[],
): readonly ReportLatency[] {
  const prices = pricesIn(targets);
  return models.flatMap((model) =>
    (times.get(model) ?? []).map((one) => {
      const price = prices.get(model) ?? null;
      return { model, ...one, cost: meanCost(one, price), ...(price && { price }) };
    }),
  );
}

/** Of an answer of so many tokens; null: no price or no usage is known. */
function meanCost({ tokens }: Pick<AnswerTimes, 'tokens'>, price: ModelConfig['price']): number | null {
  if (tokens === null || price === null) return null;
  return Number(((tokens.prompt * price.prompt + tokens.completion * price.completion) / 1e6).toPrecision(4));
}

const pricesIn = (targets: readonly TargetConfig[]): ReadonlyMap<string, ModelConfig['price']> =>
  new Map(targets.flatMap((target) => target.models.map(({ key, price }) => [key, price] as const)));

/** Tokens of a total beyond prompt and completion were written, too: some services hide reasoning there. */
function billedOutputTokens({ prompt_tokens, completion_tokens, total_tokens }: Usage): number {
  return Math.max(completion_tokens, total_tokens - prompt_tokens);
}

/** In the currency of the prices; null when no model that was asked has one. */
export function costOf({ models }: Gathered, targets: readonly TargetConfig[]): number | null {
  const prices = pricesIn(targets);
  const costs = [...models].flatMap(([key, { usage }]) => priced(usage, prices.get(key)) ?? []);
  return costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0);
}

function priced(usage: Usage, price: ModelConfig['price'] | undefined): number | null {
  return price ? (usage.prompt_tokens * price.prompt + billedOutputTokens(usage) * price.completion) / 1e6 : null;
}

/**
 * Spending of each model on each capability, the models by name, their capabilities in the order of the cells; first
 * what a model spent on none of them.
 */
export function spendOf(
  { models, spent = new Map() }: Pick<Gathered, 'models' | 'spent'>,
  cells: readonly Pick<ReportCell, 'key' | 'model' | 'capability'>[],
  targets: readonly TargetConfig[],
): readonly SpendEntry[] {
  const prices = pricesIn(targets);
  const cellsOf = groupBy(cells, (cell) => cell.model);
  // Answers come in any order, and the report must not depend on it.
  const inOrder = [...models].sort(([a], [b]) => compareTexts(a, b));
  return inOrder.flatMap(([model, { usage, requests = 0 }]) => {
    const byCapability = new Map<string, Spent>();
    for (const { key, capability } of cellsOf.get(model) ?? []) {
      const sum = byCapability.get(capability) ?? { requests: 0, usage: noUsage };
      const one = spent.get(key) ?? { requests: 0, usage: noUsage };
      byCapability.set(capability, addSpent(sum, one));
    }
    const rest = [...byCapability.values()].reduce(less, { requests, usage });
    return [[null, rest] as const, ...byCapability].flatMap(([capability, one]) =>
      one.requests === 0
        ? []
        : [{ model, capability, requests: one.requests, usage: one.usage, cost: priced(one.usage, prices.get(model)) }],
    );
  });
}

/** The usage of two together; of cached tokens, the larger share. */
export function addSpent(one: Spent, other: Spent): Spent {
  const share = Math.max(one.cachedShare ?? 0, other.cachedShare ?? 0);
  return {
    requests: one.requests + other.requests,
    usage: sumOfUsage(one.usage, other.usage),
    ...(share > 0 && { cachedShare: share }),
  };
}

/** Cost of one answer. */
export function spentOn(usage: Usage): Spent {
  const { cached_tokens: cached = 0, prompt_tokens: prompt } = usage;
  return { requests: 1, usage, ...(cached > 0 && prompt > 0 && { cachedShare: Math.min(1, cached / prompt) }) };
}

/** The largest share of a prompt that an answer in these cells says was cached; none where none says it. */
export function cachedShareOf(
  cells: readonly string[],
  { spent = new Map() }: Pick<Gathered, 'spent'>,
): { readonly cached_share?: number } {
  const share = Math.max(0, ...cells.map((key) => spent.get(key)?.cachedShare ?? 0));
  return share > 0 ? { cached_share: Number(share.toFixed(3)) } : {};
}

function less(all: Spent, one: Spent): Spent {
  return {
    requests: all.requests - one.requests,
    usage: {
      prompt_tokens: all.usage.prompt_tokens - one.usage.prompt_tokens,
      completion_tokens: all.usage.completion_tokens - one.usage.completion_tokens,
      reasoning_tokens: all.usage.reasoning_tokens - one.usage.reasoning_tokens,
      ...cachedTokens((all.usage.cached_tokens ?? 0) - (one.usage.cached_tokens ?? 0)),
      total_tokens: all.usage.total_tokens - one.usage.total_tokens,
    },
  };
}
