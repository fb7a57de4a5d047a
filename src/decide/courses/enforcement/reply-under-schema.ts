import { isSuccess } from '../../../chat/exchange.js';
import type { Compared, ComparedDocument, Outcome, Violation } from '../../../judge/outcome.js';
import type { EnforceSpec } from '../../../suite/probe.js';
import { comparedReply, isValidDocument, underLoosened, underSchema } from './compared-reply.js';

/**
 * What one answer to a request with the schema shows. Only the bare document speaks of the keyword: `keeps` conforms,
 * `breaks` does not and would without the keyword. `elsewhere` breaks another part of the schema. `refusal` is a 4xx,
 * `error` another status, `empty` a reply without a document. `wrapped`: a document that breaks the keyword came, but in a
 * fence, in prose or encoded twice. `nothing`: it was cut, withheld or garbled, or its text is no document.
 */
export type ReplyUnderSchema = 'keeps' | 'breaks' | 'elsewhere' | 'refusal' | 'error' | 'empty' | 'wrapped' | 'nothing';

export function replyUnderSchema(outcome: Outcome, spec: EnforceSpec): ReplyUnderSchema {
  if (outcome.fault || isCut(outcome) || isWithheld(outcome)) return 'nothing';
  const { class: failure, status } = outcome;
  if (failure === 'http_error') return kindOfError(status);
  if (!isSuccess(status)) return 'nothing';
  if (failure === 'empty_content' || failure === 'missing_tool_call') return 'empty';
  const compared = comparedReply(outcome, spec);
  if (failure === 'not_json' || compared.value?.kind === 'text') return holdsBreaking(compared) ? 'wrapped' : 'nothing';
  // The trial may have been judged by another schema or none, but only the keyword's schema counts here.
  if (!outcome.passed && failure !== 'schema_violation' && failure !== 'rule_violation') return 'nothing';
  const documents = documentsOf(compared);
  if (documents.length === 0 || !documents.every(({ kind }) => kind === 'object')) return 'nothing';
  if (documents.some(breaksKeyword)) return compared.isGarbled ? 'nothing' : 'breaks';
  return documents.every((document) => underSchema(document).conforms) ? 'keeps' : 'elsewhere';
}

/** A cut reply shows neither that a schema holds nor that it does not. */
export const isCut = (outcome: Outcome): boolean => outcome.class === 'truncated';

/** The service did not pass on what the model wrote, so nobody knows whether it met the schema. */
export const isWithheld = (outcome: Outcome): boolean => outcome.reason === 'model_output_rejected';

/** Invalid bytes were replaced on the way, so the original length and matches are no longer known. */
export const isGarbled = (outcome: Outcome, spec: EnforceSpec): boolean => comparedReply(outcome, spec).isGarbled;

/** The valid document came back as it was sent: the same value, however it is written. */
export function isRepeated(outcome: Outcome, spec: EnforceSpec): boolean {
  if (!outcome.passed) return false;
  const { value } = comparedReply(outcome, spec);
  return value !== null && isValidDocument(value);
}

/** The service took the schema: it answered, or rejected only what the model wrote. */
export const isAccepted = (outcome: Outcome): boolean => isSuccess(outcome.status) || isWithheld(outcome);

function kindOfError(status: number | null): ReplyUnderSchema {
  if (status === null) return 'nothing';
  if (status >= 400 && status < 500) return 'refusal';
  return status >= 500 ? 'error' : 'nothing';
}

/** Whether a text that is no bare document holds one that breaks the keyword. */
const holdsBreaking = ({ inText }: Compared): boolean =>
  inText !== null && inText.kind === 'object' && breaksKeyword(inText);

/** Every document of a reply: its content, or the arguments of all its calls. */
export const documentsOf = ({ value, further }: Compared): readonly ComparedDocument[] =>
  value === null ? further : [value, ...further];

/** Whether the keyword is what a document breaks: a schema without it would not object to the same. */
function breaksKeyword(document: ComparedDocument): boolean {
  const { violations } = underSchema(document);
  const loose = underLoosened(document);
  if (loose === null || violations.length === 0) return violations.length > 0;
  const elsewhere = new Set(loose.violations.map(named));
  return violations.some((violation) => !elsewhere.has(named(violation)));
}

const named = ({ at, message }: Violation): string => `${at}\n${message}`;
