import type { Json } from '../json/json.js';
import { objectOf, own } from './fields.js';

/** Output tokens to reckon with for a request that sets no cap. */
export const assumedOutputTokens = 1024;

/** The names of the cap on a request's output tokens, the one that wins first. */
const capNames = ['max_completion_tokens', 'max_tokens', 'max_output_tokens'] as const;

/**
 * The cap that a request puts on its output, in tokens; null where it sets none. Services take 0 and -1 for no cap.
 * @param rename a model's own names for fields
 */
export function outputCap(body: Json, rename: Readonly<Record<string, string>> = {}): number | null {
  const names = [...capNames.flatMap((name) => (Object.hasOwn(rename, name) ? (rename[name] ?? []) : [])), ...capNames];
  const caps = names.map((name) => own(objectOf(body) ?? {}, name));
  return caps.find((cap): cap is number => typeof cap === 'number' && cap > 0) ?? null;
}
