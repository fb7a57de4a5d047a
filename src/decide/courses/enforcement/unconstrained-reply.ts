import { isSuccess } from '../../../chat/exchange.js';
import type { Outcome } from '../../../judge/outcome.js';
import type { EnforceSpec } from '../../../suite/probe.js';
import type { Sample } from '../sample.js';
import {
  comparedReply,
  hasMembersOfInvalid,
  invalidUnderSchema,
  isInvalidDocument,
  underSchema,
} from './compared-reply.js';

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
  const { value, calls, begins } = comparedReply(outcome, spec);
  // The root of every schema that is sent is an object, and a text that begins otherwise cannot become one.
  if (outcome.class === 'truncated') return calls === 0 && begins === 'other' ? 'schema' : 'nothing';
  if (outcome.class === 'not_json') return 'schema';
  if (!outcome.passed && outcome.class !== 'schema_violation' && outcome.class !== 'rule_violation') return 'nothing';
  if (value === null) return 'nothing';
  if (isInvalidDocument(value)) return 'keyword';
  const { violations } = underSchema(value);
  if (violations.length === 0) return 'nothing';
  const forbidden = invalidUnderSchema(spec).violations;
  // A reply that breaks more is another document: `{}`, for instance, lacks whatever the schema requires.
  const same = violations.every((one) => forbidden.some(({ at, message }) => one.at === at && one.message === message));
  // A model that repeats the document keeps its members; an object it makes up will have others.
  return same && hasMembersOfInvalid(value) ? 'keyword' : 'schema';
}

/** Whether the invalid document came back without the schema, bare or in a text: the model does repeat documents. */
export function repeatsFreely(outcome: Outcome, spec: EnforceSpec): boolean {
  const { value, inText } = comparedReply(outcome, spec);
  return [value, inText].some((document) => document !== null && isInvalidDocument(document));
}
