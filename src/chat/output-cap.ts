import type { Json } from '../json/json.js';
import { objectOf, own } from './fields.js';

/** Output tokens to reckon with for a request that sets no cap. */
export const assumedOutputTokens = 1024;

/** The names of the cap on a request's output tokens, the one that wins first. */
const capNames = ['max_completion_tokens', 'max_tokens', 'max_output_tokens'] as const;

const none: Readonly<Record<string, string>> = {};

/**
 * The cap that a request puts on its output, in tokens; null where it sets none. Services take 0 and -1 for no cap.
 * @param rename a model's own names for fields
 */
export function outputCap(body: Json, rename: Readonly<Record<string, string>> = none): number | null {
  const fields = objectOf(body);
  if (fields === null) return null;
  // Few models have names of their own, and an answer asks for its cap again and again.
  for (const name of rename === none ? [] : capNames) {
    const renamed = Object.hasOwn(rename, name) ? rename[name] : undefined;
    const cap = renamed === undefined ? null : capOf(own(fields, renamed));
    if (cap !== null) return cap;
  }
  for (const name of capNames) {
    // No object inherits a member of these names.
    const cap = capOf(fields[name]);
    if (cap !== null) return cap;
  }
  return null;
}

function capOf(value: Json | undefined): number | null {
  return typeof value === 'number' && value > 0 ? value : null;
}
