import { isSuccess } from '../../../chat/exchange.js';
import { compareReplyDocuments, type Comparison } from '../../../judge/compared.js';
import type { ComparedAnswer, Outcome, Violation } from '../../../judge/outcome.js';
import { checkSchema } from '../../../judge/schema/conformance.js';
import { loosened } from '../../../plan/request/echo-request.js';
import type { EnforceSpec } from '../../../suite/probe.js';

/** The comparisons that the judge makes of each reply: with the schema, and with the documents to be repeated. */
export function comparisonOf(spec: EnforceSpec): Comparison {
  const loose = loosened(spec);
  return { schemas: loose === null ? [spec.schema] : [spec.schema, loose], documents: [spec.valid, spec.invalid] };
}

/** The comparison that the judge made; made here only for outcomes without one. */
const comparedReply = (outcome: Outcome, spec: EnforceSpec): ComparedAnswer =>
  outcome.compared ?? compareReplyDocuments(outcome, comparisonOf(spec), checkSchema);

/**
 * The meaning of one answer under the schema. Only the bare document speaks of the keyword: `keeps` conforms,
 * `breaks` does not and would without the keyword. `elsewhere` breaks another part of the schema. `refusal` is a 4xx,
 * `error` another status, `empty` a reply without a document. `wrapped`: a document that breaks the keyword came, but
 * in a fence, in prose or encoded twice. `nothing`: it was cut, withheld or garbled, or its text is no document.
 */
type ReplyUnderSchema = 'keeps' | 'breaks' | 'elsewhere' | 'refusal' | 'error' | 'empty' | 'wrapped' | 'nothing';

export function replyUnderSchema(outcome: Outcome, spec: EnforceSpec): ReplyUnderSchema {
  if (outcome.fault || isCut(outcome) || isWithheld(outcome)) return 'nothing';
  const { class: failure, status } = outcome;
  if (status === null) return 'nothing';
  if (failure === 'http_error') return status < 500 ? 'refusal' : 'error';
  if (!isSuccess(status)) return 'nothing';
  if (failure === 'empty_content' || failure === 'missing_tool_call') return 'empty';
  const compared = comparedReply(outcome, spec);
  if (failure === 'not_json' || compared.value?.kind === 'text') {
    return compared.inText?.kind === 'object' && breaksKeyword(compared.inText) ? 'wrapped' : 'nothing';
  }
  const documents = isJudgedDocument(outcome) ? documentsOf(compared) : [];
  if (documents.length === 0 || !documents.every(({ kind }) => kind === 'object')) return 'nothing';
  if (documents.some(breaksKeyword)) return compared.isGarbled ? 'nothing' : 'breaks';
  return documents.every((document) => firstSchemaResult(document).conforms) ? 'keeps' : 'elsewhere';
}

/** A cut reply shows neither that a schema holds nor that it does not. */
export const isCut = (outcome: Outcome): boolean => outcome.class === 'truncated';

/** The service did not pass on what the model wrote, so nobody knows whether it met the schema. */
const isWithheld = (outcome: Outcome): boolean => outcome.reason === 'model_output_rejected';

/** Neither cut, nor withheld, nor changed on its way. */
export const isUsable = (outcome: Outcome, spec: EnforceSpec): boolean =>
  !isCut(outcome) && !isWithheld(outcome) && !comparedReply(outcome, spec).isGarbled;

/** The service took the schema: it answered, or rejected only what the model wrote. */
export const isSchemaAccepted = (outcome: Outcome): boolean => isSuccess(outcome.status) || isWithheld(outcome);

/** An answer with something in it, whatever that is. */
export const isAnswer = ({ status, class: failure }: Outcome): boolean =>
  isSuccess(status) && failure !== 'empty_content' && failure !== 'missing_tool_call';

/** The valid document came back as it was sent: the same value, however it is written. */
export const isRepeated = (outcome: Outcome, spec: EnforceSpec): boolean =>
  outcome.passed && comparedReply(outcome, spec).value?.is[0] === true;

/** The invalid document came back without the schema, bare or in a text: the model does repeat documents. */
export function repeatsFreely(outcome: Outcome, spec: EnforceSpec): boolean {
  const { value, inText } = comparedReply(outcome, spec);
  return value?.is[1] === true || inText?.is[1] === true;
}

/**
 * Without the schema, the model breaks the very keyword: the bare document came back, or one with the same members that
 * breaks the schema in the same places only. One that breaks more is another document: `{}`, for instance, lacks
 * whatever the schema requires.
 */
export function breaksFreely(outcome: Outcome, spec: EnforceSpec): boolean {
  const { value } = comparedReply(outcome, spec);
  if (value === null || !isSuccess(outcome.status) || !isJudgedDocument(outcome)) return false;
  if (value.is[1] === true) return true;
  const { violations } = firstSchemaResult(value);
  const forbidden = new Set(underWhole(spec.invalid, spec).map(violationKey));
  return (
    value.hasMembersOf[1] === true &&
    violations.length > 0 &&
    violations.every((one) => forbidden.has(violationKey(one)))
  );
}

/** Without the schema, the model gives a document that conforms to it: what conforms by itself proves nothing. */
export function conformsFreely(outcome: Outcome, spec: EnforceSpec): boolean {
  const { value } = comparedReply(outcome, spec);
  return value !== null && isJudgedDocument(outcome) && firstSchemaResult(value).conforms;
}

/** Where a reply under the loosened schema breaks the whole one, in any of its calls; null: it is no document. */
export function placesBroken(outcome: Outcome, spec: EnforceSpec): readonly string[] | null {
  const compared = comparedReply(outcome, spec);
  if (!isJudgedDocument(outcome) || compared.value === null) return null;
  return documentsOf(compared).flatMap((document) => violationPlaces(firstSchemaResult(document).violations));
}

/** Where the invalid document breaks the schema: in a composite document each keyword has a place of its own. */
export const placesForbidden = (spec: EnforceSpec): readonly string[] =>
  violationPlaces(underWhole(spec.invalid, spec));

/** Items of a list share one place, since it is chance which of them is wrong. */
const violationPlaces = (violations: readonly Violation[]): readonly string[] =>
  violations.map(({ at }) => at.replaceAll(/\/[0-9]+(?=\/|$)/g, '/*'));

/** The trial may have been judged by another schema or by none: here, only the keyword's schema counts. */
const isJudgedDocument = ({ passed, class: failure }: Outcome): boolean =>
  passed || failure === 'schema_violation' || failure === 'rule_violation';

/** Every document of a reply: its content, or the arguments of all its calls. */
type DocumentOfReply = ComparedAnswer['further'][number];

const documentsOf = ({ value, further }: ComparedAnswer): readonly DocumentOfReply[] =>
  value === null ? further : [value, ...further];

const firstSchemaResult = ({ under }: DocumentOfReply): DocumentOfReply['under'][number] =>
  under[0] ?? { conforms: false, violations: [] };

function underWhole(value: EnforceSpec['invalid'], { schema }: EnforceSpec): readonly Violation[] {
  const result = checkSchema(value, schema);
  return result.kind === 'violates' ? result.violations : [];
}

/** Whether the keyword is what a document breaks: a schema without it would not object to the same. */
function breaksKeyword(document: DocumentOfReply): boolean {
  const elsewhere = new Set((document.under[1]?.violations ?? []).map(violationKey));
  return firstSchemaResult(document).violations.some((violation) => !elsewhere.has(violationKey(violation)));
}

const violationKey = ({ at, message }: Violation): string => `${at}\n${message}`;
