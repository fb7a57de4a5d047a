import { isSuccess } from '../../../chat/exchange.js';
import { parseJson } from '../../../chat/parse-json.js';
import type { Outcome } from '../../../judge/outcome.js';
import { innerJson } from '../../../judge/json/wrapped-json.js';
import { isObject, type Json } from '../../../json/json.js';
import type { EnforceSpec } from '../../../suite/probe.js';
import type { Sample } from '../sample.js';
import { isSameJson, violationsOf } from './reply-under-schema.js';

/**
 * What replies without the schema show about the model. `keyword`: it breaks the very keyword. `schema`: it breaks the
 * schema elsewhere, or gives no bare document. `nothing`: neither.
 */
export type Unconstrained = 'keyword' | 'schema' | 'nothing';

/** The most that the replies without the schema show. Cut ones count if no continuation could fix them. */
export function unconstrainedIn(sample: Sample, spec: EnforceSpec): Unconstrained {
  const shown = sample.judged((ask) => ask.kind === 'free').map(({ outcome }) => unconstrainedReply(outcome, spec));
  return shown.find((one) => one === 'keyword') ?? shown.find((one) => one === 'schema') ?? 'nothing';
}

/**
 * What one reply shows that was asked to repeat the invalid document. `keyword`: the bare document came back, or one with
 * the same members that breaks the schema in the same places only. `schema`: it breaks the schema in another way, can no
 * longer become an object, or is a text. A document in a fence or in prose is a text: what a model that writes so does
 * with the keyword shows under the loosened schema.
 */
export function unconstrainedReply(outcome: Outcome, spec: EnforceSpec): Unconstrained {
  if (outcome.fault || !isSuccess(outcome.status)) return 'nothing';
  if (outcome.class === 'truncated') {
    return outcome.reply?.tool_calls.length === 0 && isNoObject(outcome.reply.content ?? '') ? 'schema' : 'nothing';
  }
  if (outcome.class === 'not_json') return 'schema';
  if (!outcome.passed && outcome.class !== 'schema_violation' && outcome.class !== 'rule_violation') return 'nothing';
  if (outcome.value === undefined) return 'nothing';
  if (isSameJson(outcome.value, spec.invalid)) return 'keyword';
  const violations = violationsOf(outcome.value, spec.schema);
  if (violations.length === 0) return 'nothing';
  const forbidden = violationsOf(spec.invalid, spec.schema);
  // A reply that breaks more is another document: `{}`, for instance, lacks whatever the schema requires.
  const same = violations.every((one) => forbidden.some(({ at, message }) => one.at === at && one.message === message));
  return same && membersOf(outcome.value) === membersOf(spec.invalid) ? 'keyword' : 'schema';
}

/** Whether the invalid document came back without the schema, bare or in a text: the model does repeat documents. */
export function repeatsFreely({ value, reply }: Outcome, spec: EnforceSpec): boolean {
  if (value !== undefined && isSameJson(value, spec.invalid)) return true;
  const text = typeof value === 'string' ? value : (reply?.content ?? '');
  const read = parseJson(text);
  const inner = read.ok ? read.value : innerJson(text);
  return inner !== undefined && isSameJson(inner, spec.invalid);
}

/** The root of every schema that is sent is an object, and a text that begins otherwise cannot become one. */
function isNoObject(text: string): boolean {
  const begun = text.trimStart();
  return begun !== '' && !begun.startsWith('{');
}

/** A model that repeats the document keeps its members; an object it makes up will have others. */
const membersOf = (value: Json): string => (isObject(value) ? JSON.stringify(Object.keys(value).sort()) : typeof value);
