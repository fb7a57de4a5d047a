import { objectOf } from './fields.js';
import type { Reply } from './reply.js';
import type { Json, JsonObject } from '../json/json.js';

/** A reply's usage, in tokens; null where the service does not report it, or not as a number that can be true. */
export interface TokenUse {
  readonly prompt: number | null;
  readonly completion: number | null;
  readonly reasoning: number | null;
  readonly total: number | null;
  readonly whole: JsonObject | null;
}

/** Reads a reply's usage. */
export function tokenUse(reply: Pick<Reply, 'usage'> | null): TokenUse {
  const usage = reply?.usage ?? null;
  if (usage === null) return { prompt: null, completion: null, reasoning: null, total: null, whole: null };
  const details = objectOf(usage['completion_tokens_details']) ?? objectOf(usage['output_tokens_details']) ?? none;
  return {
    prompt: count(usage, 'prompt_tokens', 'input_tokens'),
    completion: completionIn(usage),
    reasoning: countIn(details['reasoning_tokens']) ?? count(usage, 'reasoning_tokens', 'thoughts_token_count'),
    total: countIn(usage['total_tokens']),
    whole: usage,
  };
}

/** The completion tokens of {@link tokenUse} alone, which every answer is asked for. */
export function completionTokens({ usage }: Pick<Reply, 'usage'>): number | null {
  return usage === null ? null : completionIn(usage);
}

const completionIn = (usage: JsonObject): number | null => count(usage, 'completion_tokens', 'output_tokens');

const none: JsonObject = {};

/** Tokens of the total that are neither prompt nor completion: some services hide reasoning there. */
export function hiddenTokens({ prompt, completion, total }: TokenUse): number {
  return prompt === null || completion === null || total === null ? 0 : Math.max(0, total - prompt - completion);
}

/** No context window holds more tokens, so no request takes more. */
const largestWindow = 10_000_000;

/** Under a name, or under the other one that services have for it. */
function count(object: JsonObject, name: string, otherName: string): number | null {
  return countIn(object[name]) ?? countIn(object[otherName]);
}

function countIn(value: Json | undefined): number | null {
  // A part of a token is one that was taken.
  return typeof value === 'number' && value >= 0 && value <= largestWindow ? Math.ceil(value) : null;
}
