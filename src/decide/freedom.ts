import { isDeepStrictEqual } from 'node:util';
import { checkSchema } from '../judge/conformance.js';
import type { Outcome, Violation } from '../judge/outcome.js';
import type { Json } from '../json/json.js';
import type { EnforceSpec } from '../suite/probe.js';

/**
 * Keywords that a document which was not made for them meets by luck next to never. The others (a bound, a length, a
 * count) are met by many a random value, so that a model which babbles when it is free proves nothing about them.
 */
const neverByLuck = new Set(['type', 'enum', 'const', 'pattern', 'format']);

/**
 * Whether a reply to the invalid document without the schema shows that the model, left alone, breaks the keyword: the
 * document came back, also in a fence or in prose; or another that breaks the schema at the same place in the same way;
 * or, where no luck meets the keyword, anything that breaks the schema or can no longer become an object.
 */
export function brokeWhenFree(outcome: Outcome, spec: EnforceSpec): boolean {
  if (outcome.fault || outcome.status === null || outcome.status < 200 || outcome.status > 299) return false;
  const byLuck = !neverByLuck.has(spec.keyword);
  const text = outcome.reply?.content ?? '';
  if (outcome.class === 'truncated') return !byLuck && outcome.reply?.tool_calls.length === 0 && isNoObject(text);
  if (outcome.class === 'not_json') return !byLuck || squeezed(text).includes(squeezed(JSON.stringify(spec.invalid)));
  if (!outcome.passed && outcome.class !== 'schema_violation' && outcome.class !== 'rule_violation') return false;
  if (outcome.value === undefined) return false;
  if (isDeepStrictEqual(outcome.value, spec.invalid)) return true;
  const violations = violationsOf(outcome.value, spec);
  if (!byLuck) return violations.length > 0;
  const forbidden = violationsOf(spec.invalid, spec);
  return violations.some((one) => forbidden.some(({ at, message }) => one.at === at && one.message === message));
}

/** The root of every schema that is sent is an object, and nothing that begins otherwise turns into one. */
function isNoObject(text: string): boolean {
  const begun = text.trimStart();
  return begun !== '' && !begun.startsWith('{');
}

function violationsOf(value: Json, spec: EnforceSpec): readonly Violation[] {
  const conformance = checkSchema(value, spec.schema);
  return conformance.kind === 'violates' ? conformance.violations : [];
}

const squeezed = (text: string): string => text.replace(/\s+/g, '');
