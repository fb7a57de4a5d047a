import { isDeepStrictEqual } from 'node:util';
import { isSuccess } from '../../chat/exchange.js';
import { checkSchema } from '../../judge/schema/conformance.js';
import type { Outcome, Violation } from '../../judge/outcome.js';
import { isObject, type Json } from '../../json/json.js';
import type { EnforceSpec } from '../../suite/probe.js';
import type { Sample } from './sample.js';

/**
 * What replies without the schema show about the model. `keyword`: it breaks the very keyword. `schema`: it breaks the
 * schema elsewhere. `nothing`: neither.
 */
export type Unconstrained = 'keyword' | 'schema' | 'nothing';

/** The most that the replies without the schema show. Cut ones count if no continuation could fix them. */
export function unconstrainedIn(sample: Sample, spec: EnforceSpec): Unconstrained {
  const shown = sample.judged((ask) => ask.kind === 'free').map(({ outcome }) => unconstrainedReply(outcome, spec));
  return shown.find((one) => one === 'keyword') ?? shown.find((one) => one === 'schema') ?? 'nothing';
}

/**
 * What one reply shows that was asked to repeat the invalid document. `keyword`: the document came back (also in a fence
 * or in prose), or one with the same members that breaks the schema in the same places only. `schema`: it breaks the
 * schema in another way, or can no longer become an object.
 */
export function unconstrainedReply(outcome: Outcome, spec: EnforceSpec): Unconstrained {
  if (outcome.fault || !isSuccess(outcome.status)) return 'nothing';
  const text = outcome.reply?.content ?? '';
  if (outcome.class === 'truncated')
    return outcome.reply?.tool_calls.length === 0 && isNoObject(text) ? 'schema' : 'nothing';
  if (outcome.class === 'not_json')
    return squeezed(text).includes(squeezed(JSON.stringify(spec.invalid))) ? 'keyword' : 'schema';
  if (!outcome.passed && outcome.class !== 'schema_violation' && outcome.class !== 'rule_violation') return 'nothing';
  if (outcome.value === undefined) return 'nothing';
  if (isDeepStrictEqual(outcome.value, spec.invalid)) return 'keyword';
  const violations = violationsOf(outcome.value, spec);
  if (violations.length === 0) return 'nothing';
  const forbidden = violationsOf(spec.invalid, spec);
  // A reply that breaks more is another document: `{}`, for instance, lacks whatever the schema requires.
  const same = violations.every((one) => forbidden.some(({ at, message }) => one.at === at && one.message === message));
  return same && membersOf(outcome.value) === membersOf(spec.invalid) ? 'keyword' : 'schema';
}

/** The root of every schema that is sent is an object, and a text that begins otherwise cannot become one. */
function isNoObject(text: string): boolean {
  const begun = text.trimStart();
  return begun !== '' && !begun.startsWith('{');
}

function violationsOf(value: Json, spec: EnforceSpec): readonly Violation[] {
  const conformance = checkSchema(value, spec.schema);
  return conformance.kind === 'violates' ? conformance.violations : [];
}

/** A model that repeats the document keeps its members; an object it makes up will have others. */
const membersOf = (value: Json): string => (isObject(value) ? JSON.stringify(Object.keys(value).sort()) : typeof value);

const squeezed = (text: string): string => text.replace(/\s+/g, '');
