import type { ModelConfig } from '../../config/config.js';
import { isObject, type Json } from '../../json/json.js';
import type { Spending } from './budget-ledger.js';

/** Output tokens assumed for a request without a cap. */
const assumedOutputTokens = 1024;

/** Tokens that a chat template adds around the messages. */
const templateTokens = 16;

/** What a service said a request took; null where it does not tell. */
export interface Usage {
  readonly prompt: number | null;
  readonly completion: number | null;
}

interface Tokens {
  readonly prompt: number;
  readonly completion: number;
}

/** Guesses, from the high side, what requests to one model take, and learns from what they took. */
export interface Estimator {
  /** The most that the request should take. */
  most(body: Json): Spending;
  /** What it took; where the usage does not tell, what was to be expected. */
  spent(body: Json, usage: Usage | null): Spending;
  /** Whether the service wrote more than the request allowed. */
  overshot(body: Json, usage: Usage): boolean;
}

export function createEstimator(model: ModelConfig): Estimator {
  /** A byte is a quarter of a token in English and up to half of one elsewhere. */
  let tokensPerByte = 0.25;
  let usualOutput = assumedOutputTokens;

  const cost = ({ prompt, completion }: Tokens): number =>
    model.price === null ? 0 : (prompt * model.price.prompt + completion * model.price.completion) / 1e6;
  const spending = (use: Tokens): Spending => ({ tokens: use.prompt + use.completion, cost: cost(use) });
  const expected = (body: Json): Tokens => ({
    prompt: Math.ceil(bytesOf(body) * tokensPerByte) + templateTokens,
    completion: capOf(body, model) ?? usualOutput,
  });

  return {
    most: (body) => spending(expected(body)),
    spent(body, usage) {
      const { prompt, completion } = expected(body);
      if (usage === null) return spending({ prompt, completion });
      const took = { prompt: usage.prompt ?? prompt, completion: usage.completion ?? completion };
      if (usage.prompt !== null) {
        tokensPerByte = Math.max(tokensPerByte, (usage.prompt - templateTokens) / bytesOf(body));
      }
      if (capOf(body, model) === null) usualOutput = Math.max(usualOutput, took.completion);
      return spending(took);
    },
    overshot(body, usage) {
      const cap = capOf(body, model);
      return cap !== null && usage.completion !== null && usage.completion > cap;
    },
  };
}

function bytesOf(body: Json): number {
  return Buffer.byteLength(JSON.stringify(body));
}

function capOf(body: Json, model: ModelConfig): number | null {
  if (!isObject(body)) return null;
  for (const name of [model.rename['max_tokens'] ?? 'max_tokens', 'max_tokens', 'max_completion_tokens']) {
    const cap = body[name];
    if (typeof cap === 'number' && cap >= 0) return cap;
  }
  return null;
}
