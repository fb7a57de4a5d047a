import { isDeepStrictEqual } from 'node:util';
import { isSuccess } from '../../chat/exchange.js';
import { checkSchema } from '../../judge/schema/conformance.js';
import type { Outcome, Violation } from '../../judge/outcome.js';
import { isObject, type Json } from '../../json/json.js';
import type { EnforceSpec } from '../../suite/probe.js';

/**
 * What a free reply to the invalid document shows. `keyword`: the model, left alone, breaks the very keyword, for the
 * document came back (also in a fence or in prose), or one of the same members that breaks the schema there only.
 * `babble`: it breaks the schema somehow, or can no longer become an object. `nothing`: neither.
 */
export function freedomOf(outcome: Outcome, spec: EnforceSpec): 'keyword' | 'babble' | 'nothing' {
  if (outcome.fault || !isSuccess(outcome.status)) return 'nothing';
  const text = outcome.reply?.content ?? '';
  if (outcome.class === 'truncated')
    return outcome.reply?.tool_calls.length === 0 && isNoObject(text) ? 'babble' : 'nothing';
  if (outcome.class === 'not_json')
    return squeezed(text).includes(squeezed(JSON.stringify(spec.invalid))) ? 'keyword' : 'babble';
  if (!outcome.passed && outcome.class !== 'schema_violation' && outcome.class !== 'rule_violation') return 'nothing';
  if (outcome.value === undefined) return 'nothing';
  if (isDeepStrictEqual(outcome.value, spec.invalid)) return 'keyword';
  const violations = violationsOf(outcome.value, spec);
  if (violations.length === 0) return 'nothing';
  const forbidden = violationsOf(spec.invalid, spec);
  // More than that, and it is another document: `{}` lacks whatever a schema requires.
  const same = violations.every((one) => forbidden.some(({ at, message }) => one.at === at && one.message === message));
  return same && membersOf(outcome.value) === membersOf(spec.invalid) ? 'keyword' : 'babble';
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

/** A model that was following the document keeps its members; a made-up object has too many of others by chance. */
const membersOf = (value: Json): string => (isObject(value) ? JSON.stringify(Object.keys(value).sort()) : typeof value);

const squeezed = (text: string): string => text.replace(/\s+/g, '');
