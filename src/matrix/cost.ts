import type { ModelConfig, TargetConfig } from '../config/config.js';
import { type Gathered, noUsage, type Usage } from './gathered.js';
import type { ReportLatency } from './report-format.js';
import type { AnswerTimes } from './timing.js';

/** The tokens of all models together. */
export function usageOf({ models }: Gathered): Usage {
  return [...models.values()].map(({ usage }) => usage).reduce(add, noUsage);
}

export function add(a: Usage, b: Usage): Usage {
  return {
    prompt_tokens: a.prompt_tokens + b.prompt_tokens,
    completion_tokens: a.completion_tokens + b.completion_tokens,
    reasoning_tokens: a.reasoning_tokens + b.reasoning_tokens,
    total_tokens: a.total_tokens + b.total_tokens,
  };
}

/** How long answers took, in the order of these models, with what one costs. */
export function latencyOf(
  { times = new Map() }: Pick<Gathered, 'times'>,
  models: readonly string[],
  targets: readonly TargetConfig[],
): readonly ReportLatency[] {
  const prices = pricesIn(targets);
  return models.flatMap((model) =>
    (times.get(model) ?? []).map((one) => ({ model, ...one, cost: meanCost(one, prices.get(model) ?? null) })),
  );
}

function meanCost({ tokens }: AnswerTimes, price: ModelConfig['price']): number | null {
  if (tokens === null || price === null) return null;
  return Number(((tokens.prompt * price.prompt + tokens.completion * price.completion) / 1e6).toPrecision(4));
}

const pricesIn = (targets: readonly TargetConfig[]): ReadonlyMap<string, ModelConfig['price']> =>
  new Map(targets.flatMap((target) => target.models.map(({ key, price }) => [key, price] as const)));

/** What a total holds beyond prompt and completion was written too: some services hide reasoning there. */
function outputTokens({ prompt_tokens, completion_tokens, total_tokens }: Usage): number {
  return Math.max(completion_tokens, total_tokens - prompt_tokens);
}

/** In the currency of the prices; null when no model that was asked has one. */
export function costOf({ models }: Gathered, targets: readonly TargetConfig[]): number | null {
  const prices = pricesIn(targets);
  const costs = [...models].flatMap(([key, { usage }]) => {
    const price = prices.get(key);
    return price ? [(usage.prompt_tokens * price.prompt + outputTokens(usage) * price.completion) / 1e6] : [];
  });
  return costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0);
}
