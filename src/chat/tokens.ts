import { jsonText, type Json, type JsonObject, writtenJson } from '../json/json.js';
import type { Reply, ToolCall } from './reply.js';
import { objectOf, own } from './fields.js';
import { rememberedByObject } from '../json/remembered.js';

/**
 * Bytes of text that count as a token. Services count a token for four to five bytes of English, and for fewer of any
 * other language or of JSON.
 */
const bytesPerToken = 4;

/** Tokens of a request body, without the media that it carries: those are not counted by their bytes. */
export function promptTokensIn(body: Json): number {
  return Math.ceil(mostPromptTokensIn(body) / bytesPerToken);
}

/** The most tokens that the text of a request body can be: no tokenizer makes more of them than there are bytes. */
export const mostPromptTokensIn = rememberedByObject((body: Json): number => {
  const text = jsonText(body);
  // Most bodies hold none, and to look at each of their members takes several times as long.
  return Buffer.byteLength(mayHoldMedia.test(text) ? writtenJson(body, undefined, withoutMedia) : text);
});

const mayHoldMedia = /"data:|"(?:file_)?data":|"b64_json":/;

const mediaNames: ReadonlySet<string> = new Set(['data', 'file_data', 'b64_json']);

function withoutMedia(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value.startsWith('data:') || mediaNames.has(name) ? '' : value;
}

/**
 * Tokens of the text that arrived: content, reasoning and tool arguments. A reply holds one choice of several, which
 * count as much. White space is written many characters a token.
 */
export function writtenTokensIn({ content, reasoning, refusal, tool_calls, choices }: Reply): number {
  const text = [reasoning, content, refusal, ...tool_calls.map(textOfCall)].filter(Boolean).join(' ');
  return choices * Math.ceil(Buffer.byteLength(text.replace(/\s{2,}/g, ' ')) / bytesPerToken);
}

function textOfCall({ name, arguments: args }: ToolCall): string {
  return `${name ?? ''} ${typeof args === 'string' ? args : writtenJson(args ?? '')}`;
}

/** A reply's usage, in tokens; null where the service does not report it, or not as a number that can be true. */
export interface TokenUse {
  readonly prompt: number | null;
  readonly completion: number | null;
  readonly reasoning: number | null;
  /** Of the prompt, what the service had read before. */
  readonly cached: number | null;
  readonly total: number | null;
  readonly whole: JsonObject | null;
}

/** Reads a reply's usage. */
export function tokenUse(reply: Pick<Reply, 'usage'> | null): TokenUse {
  const usage = reply?.usage ?? null;
  if (usage === null) {
    return { prompt: null, completion: null, reasoning: null, cached: null, total: null, whole: null };
  }
  const details =
    objectOf(usage['completion_tokens_details']) ?? objectOf(usage['output_tokens_details']) ?? noUsageFields;
  return {
    prompt: tokenCountIn(usage, 'prompt_tokens', 'input_tokens'),
    completion: completionIn(usage),
    reasoning: countIn(details['reasoning_tokens']) ?? tokenCountIn(usage, 'reasoning_tokens', 'thoughts_token_count'),
    cached: cachedIn(usage),
    total: countIn(usage['total_tokens']),
    whole: usage,
  };
}

const completionIn = (usage: JsonObject): number | null => tokenCountIn(usage, 'completion_tokens', 'output_tokens');

/** Services have five names for it. */
function cachedIn(usage: JsonObject): number | null {
  const details = objectOf(usage['prompt_tokens_details']) ?? objectOf(usage['input_tokens_details']) ?? noUsageFields;
  return (
    countIn(details['cached_tokens']) ??
    tokenCountIn(usage, 'prompt_cache_hit_tokens', 'cache_read_input_tokens') ??
    countIn(usage['cached_tokens'])
  );
}

const noUsageFields: JsonObject = {};

/** Tokens of the total that are neither prompt nor completion: some services hide reasoning there. */
export function hiddenTokens({ prompt, completion, total }: TokenUse): number {
  return prompt === null || completion === null || total === null ? 0 : Math.max(0, total - prompt - completion);
}

/** No context window holds more tokens, so no request takes more. */
const largestWindow = 10_000_000;

/** Under a name, or under the other one that services have for it. */
function tokenCountIn(object: JsonObject, name: string, otherName: string): number | null {
  return countIn(object[name]) ?? countIn(object[otherName]);
}

function countIn(value: Json | undefined): number | null {
  // A part of a token is one that was taken.
  return typeof value === 'number' && value >= 0 && value <= largestWindow ? Math.ceil(value) : null;
}

/** Output tokens to reckon with for a request that sets no cap. */
export const assumedOutputTokens = 1024;

/** The names of the cap on a request's output tokens, the one that wins first. */
const capNames = ['max_completion_tokens', 'max_tokens', 'max_output_tokens'] as const;

const noNames: Readonly<Record<string, string>> = {};

/**
 * The cap that a request puts on its output, in tokens; null where it sets none. Services take 0 and -1 for no cap.
 * @param rename a model's own names for fields
 */
export function outputCap(body: Json, rename: Readonly<Record<string, string>> = noNames): number | null {
  const fields = objectOf(body);
  if (fields === null) return null;
  // Few models have names of their own, and an answer asks for its cap again and again.
  for (const name of rename === noNames ? [] : capNames) {
    const renamed = Object.hasOwn(rename, name) ? rename[name] : undefined;
    const cap = renamed === undefined ? null : positiveCap(own(fields, renamed));
    if (cap !== null) return cap;
  }
  for (const name of capNames) {
    // No object inherits a member of these names.
    const cap = positiveCap(fields[name]);
    if (cap !== null) return cap;
  }
  return null;
}

function positiveCap(value: Json | undefined): number | null {
  return typeof value === 'number' && value > 0 ? value : null;
}
