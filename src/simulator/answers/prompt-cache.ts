import { type Json, type JsonObject, writtenJson } from '../../json/json.js';

/** Tokens of the prompt of a request that the service had read before, for another request of the same model. */
export type PromptCache = (model: string, body: JsonObject) => number;

/** Characters of a token, as `countPrompt` counts. */
const charactersOfToken = 4;
/** Shorter beginnings are not kept, and beginnings are kept in blocks. */
const [shortest, block] = [1024, 128] as const;
/** Of each model, the newest. */
const mostKept = 16;

/** A cache of long prompts, as services have them. */
export function promptCache(): PromptCache & { readonly clear: () => void } {
  const kept = new Map<string, readonly string[]>();
  const cached = (model: string, { tools, messages }: JsonObject): number => {
    const prompt = writtenJson([tools ?? null, messages ?? null]);
    if (prompt.length < shortest * charactersOfToken) return 0;
    const earlier = kept.get(model) ?? [];
    kept.set(model, [...earlier, prompt].slice(-mostKept));
    const common = Math.max(0, ...earlier.map((one) => commonLength(one, prompt)));
    const tokens = Math.floor(common / charactersOfToken / block) * block;
    return tokens < shortest ? 0 : tokens;
  };
  return Object.assign(cached, { clear: () => kept.clear() });
}

function commonLength(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one[length] === other[length]) length += 1;
  return length;
}

/** The member of a usage that says how much of the prompt was cached; none where nothing was. */
export function cachedDetails(tokens: number): { readonly prompt_tokens_details?: Json } {
  return tokens === 0 ? {} : { prompt_tokens_details: { cached_tokens: tokens } };
}
