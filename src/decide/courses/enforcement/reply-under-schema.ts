import { isSuccess } from '../../../chat/exchange.js';
import { parseJson } from '../../../chat/parse-json.js';
import { innerJson } from '../../../judge/json/wrapped-json.js';
import { checkSchema } from '../../../judge/schema/conformance.js';
import type { Outcome, Violation } from '../../../judge/outcome.js';
import { canonicalJson } from '../../../json/digest.js';
import { isObject, type Json } from '../../../json/json.js';
import { loosened } from '../../../plan/request/loosened.js';
import type { EnforceSpec } from '../../../suite/probe.js';

/**
 * What one answer to a request with the schema shows. Only the bare document speaks of the keyword: `keeps` conforms,
 * `breaks` does not and would without the keyword. `elsewhere` breaks another part of the schema. `refusal` is a 4xx,
 * `error` another status, `empty` a reply without a document. `wrapped`: a document that breaks the keyword came, but in a
 * fence, in prose or encoded twice. `nothing`: it was cut, withheld or garbled, or its text is no document.
 */
export type ReplyUnderSchema = 'keeps' | 'breaks' | 'elsewhere' | 'refusal' | 'error' | 'empty' | 'wrapped' | 'nothing';

export function replyUnderSchema(outcome: Outcome, spec: EnforceSpec): ReplyUnderSchema {
  const known = shownBefore.get(spec) ?? new WeakMap<Outcome, ReplyUnderSchema>();
  shownBefore.set(spec, known);
  const shown = known.get(outcome) ?? shownBy(outcome, spec);
  known.set(outcome, shown);
  return shown;
}

/** Every question about a cell looks at all of its outcomes, and checking one against the schema takes a while. */
const shownBefore = new WeakMap<EnforceSpec, WeakMap<Outcome, ReplyUnderSchema>>();

function shownBy(outcome: Outcome, spec: EnforceSpec): ReplyUnderSchema {
  if (outcome.fault || isCut(outcome) || isWithheld(outcome)) return 'nothing';
  const { class: failure, status } = outcome;
  if (failure === 'http_error') return kindOfError(status);
  if (!isSuccess(status)) return 'nothing';
  if (failure === 'empty_content' || failure === 'missing_tool_call') return 'empty';
  if (failure === 'not_json' || isText(outcome.value)) return holdsBreaking(outcome, spec) ? 'wrapped' : 'nothing';
  // The trial may have been judged by another schema or none, but only the keyword's schema counts here.
  if (!outcome.passed && failure !== 'schema_violation' && failure !== 'rule_violation') return 'nothing';
  const documents = documentsOf(outcome);
  if (documents.length === 0 || !documents.every(isObject)) return 'nothing';
  if (documents.some((value) => breaksKeyword(value, spec))) return isGarbled(outcome) ? 'nothing' : 'breaks';
  return documents.every((value) => checkSchema(value, spec.schema).kind === 'conforms') ? 'keeps' : 'elsewhere';
}

/** A cut reply shows neither that a schema holds nor that it does not. */
export const isCut = (outcome: Outcome): boolean => outcome.class === 'truncated';

/** The service did not pass on what the model wrote, so nobody knows whether it met the schema. */
export const isWithheld = (outcome: Outcome): boolean => outcome.reason === 'model_output_rejected';

/** Invalid bytes were replaced on the way, so the original length and matches are no longer known. */
export const isGarbled = (outcome: Outcome): boolean => JSON.stringify(outcome.value ?? null).includes('\uFFFD');

/** The valid document came back as it was sent: the same value, however it is written. */
export const isRepeated = (outcome: Outcome, spec: EnforceSpec): boolean =>
  outcome.passed && outcome.value !== undefined && isSameJson(outcome.value, spec.valid);

export const isSameJson = (one: Json, other: Json): boolean => canonicalJson(one) === canonicalJson(other);

/** The service took the schema: it answered, or rejected only what the model wrote. */
export const isAccepted = (outcome: Outcome): boolean => isSuccess(outcome.status) || isWithheld(outcome);

function kindOfError(status: number | null): ReplyUnderSchema {
  if (status === null) return 'nothing';
  if (status >= 400 && status < 500) return 'refusal';
  return status >= 500 ? 'error' : 'nothing';
}

const isText = (value: Json | undefined): value is string => typeof value === 'string';

/** Whether a text that is no bare document holds one that breaks the keyword. */
function holdsBreaking({ value, reply }: Outcome, spec: EnforceSpec): boolean {
  const text = isText(value) ? value : (reply?.content ?? '');
  const read = parseJson(text);
  const inner = read.ok ? read.value : innerJson(text);
  return inner !== undefined && isObject(inner) && breaksKeyword(inner, spec);
}

/** Every document of a reply: its content, or the arguments of all its calls. */
export function documentsOf({ value, reply }: Outcome): readonly Json[] {
  const further = (reply?.tool_calls ?? []).slice(1).flatMap(({ arguments: args }) => {
    const read = typeof args === 'string' ? parseJson(args) : null;
    return read?.ok === true ? [read.value] : [];
  });
  return value === undefined ? further : [value, ...further];
}

/** Whether the keyword is what a document breaks: a schema without it would not object to the same. */
function breaksKeyword(value: Json, spec: EnforceSpec): boolean {
  const violations = violationsOf(value, spec.schema);
  const loose = loosened(spec);
  if (loose === null || violations.length === 0) return violations.length > 0;
  const elsewhere = new Set(violationsOf(value, loose).map(named));
  return violations.some((violation) => !elsewhere.has(named(violation)));
}

const named = ({ at, message }: Violation): string => `${at}\n${message}`;

export function violationsOf(value: Json, schema: Json): readonly Violation[] {
  const conformance = checkSchema(value, schema);
  return conformance.kind === 'violates' ? conformance.violations : [];
}
