import { excerpt } from '../../chat/excerpt.js';
import type { Clue } from '../clue.js';
import { isFaultReason, needsControl, type Reason } from '../outcome.js';
import { refusalFacts, codeMeans, errorMeans, wordsMean, type Refusal, type RefusalFacts } from './refusal.js';
import { tlsWanted, unsupportedField, wantedBy } from './wanted.js';
import { countsTokens, isFiltered, requestMeaning } from './request-meaning.js';
import { isLoadStatus, isSuccess, type Answer } from '../../chat/exchange.js';
import { readExchangeAnswer } from '../../chat/read-answer.js';
import type { Json } from '../../json/json.js';

export interface Classification {
  readonly reason: Reason;
  /** One line: the status and what the service said. */
  readonly detail: string;
  /** The wish of the service in place of the request; absent: it names none. */
  readonly clue?: Clue;
}

/**
 * Why a service reports an error: by the status first, then by the codes, fields and words of the error.
 * A bare number in a text is ignored.
 */
export function classify(refusal: Refusal): Classification {
  const facts = refusalFacts(refusal);
  const reason = refusalReason(facts);
  const clue = isFaultReason(reason) ? null : clueOf(facts, reason, refusal.request);
  return { reason, detail: detailOf(facts), ...(clue !== null && { clue }) };
}

function clueOf(facts: RefusalFacts, reason: Reason, request: Json | null): Clue | null {
  const wanted = tlsWanted(facts) ?? wantedBy(facts, request);
  return wanted === null && reason === 'parameter_rejected' ? unsupportedField(facts, request) : wanted;
}

function refusalReason(facts: RefusalFacts): Reason {
  const { status } = facts;
  if (status === null || status < 300) return ofErrorObject(facts);
  if (status >= 500) return ofServerError(facts, status);
  return ofClientError(facts, status);
}

/** An error without a status of its own: a status named inside it counts, otherwise its meaning decides. */
function ofErrorObject(facts: RefusalFacts): Reason {
  const inner = facts.statuses[0];
  if (inner !== undefined) return refusalReason({ ...facts, status: inner });
  if (isFiltered(facts)) return 'content_filtered';
  return limitOf(facts) ?? requestMeaning(facts) ?? (errorMeans('serverError', facts) ? 'server_error' : 'unknown');
}

function ofClientError(facts: RefusalFacts, status: number): Reason {
  switch (status) {
    case 401:
      if (codeMeans('quota', facts) || (wordsMean('quota', facts) && !wordsMean('auth', facts))) return 'quota';
      if (codeMeans('modelNotFound', facts)) return 'model_not_found';
      return isUnread(facts) && !errorMeans('auth', facts) ? 'unknown' : 'auth';
    case 402:
      return 'quota';
    case 403:
      return ofForbidden(facts);
    case 404:
    case 410:
      return ofNotFound(facts);
    case 407:
      return 'gateway';
    case 408:
    case 409:
    case 425:
      // The service could not take the request at this moment; a later attempt may succeed.
      return 'overloaded';
    case 413:
      return ofTooLarge(facts);
    case 429:
      return ofTooMany(facts);
    default:
      return (
        throttleOf(facts) ??
        requestMeaning(facts) ??
        (codeMeans('invalidRequest', facts) ? 'parameter_rejected' : 'unknown')
      );
  }
}

/** A refusal of access, unless the error says that something else was refused. */
function ofForbidden(facts: RefusalFacts): Reason {
  const meaning = throttleOf(facts) ?? requestMeaning(facts);
  if (meaning !== null && meaning !== 'parameter_rejected') return meaning;
  return isUnread(facts) ? 'unknown' : 'auth';
}

/**
 * Whether an error speaks in words that nobody here reads: letters beyond ASCII, or three words and none of English.
 * Of English the table knows what else such a status may say.
 */
function isUnread(facts: RefusalFacts): boolean {
  const words = facts.prose.replaceAll(/\((?:model|link|list|name|free)\)/g, ' ');
  if (/[^\p{ASCII}\p{P}\p{S}]/u.test(words)) return true;
  return /(?:[a-z]{2,}[^a-z]+){2}[a-z]{2,}/i.test(words) && !wordsMean('english', facts);
}

/** Routers also answer 404 when no endpoint supports a setting, which does not mean that the model is missing. */
function ofNotFound(facts: RefusalFacts): Reason {
  const meaning = requestMeaning(facts);
  if (meaning !== null && meaning !== 'parameter_rejected') return meaning;
  if (/\b(?:that )?supports?\b/i.test(facts.text)) return 'parameter_rejected';
  if (facts.text.includes('(model)')) return 'model_not_found';
  return meaning ?? (facts.status === 410 ? 'model_not_found' : 'unknown');
}

/** A machine in front counts bytes. Only a sentence about tokens or the context speaks for the model. */
function ofTooLarge(facts: RefusalFacts): Reason {
  if (codeMeans('rate', facts) || wordsMean('rate', facts)) return 'rate_limited';
  return errorMeans('contextLength', facts) && countsTokens(facts) ? 'context_length' : 'gateway';
}

/** The status says that it is load. Services also use it for money, so that words nobody reads may mean either. */
function ofTooMany(facts: RefusalFacts): Reason {
  if (codeMeans('contentFiltered', facts)) return 'content_filtered';
  return limitOf(facts) ?? (isUnread(facts) ? 'unknown' : 'rate_limited');
}

/** A throttle code outranks what the sentence beside it says, whatever the status. */
function throttleOf(facts: RefusalFacts): Reason | null {
  return codeMeans('rate', facts) ? (limitOf(facts) ?? 'rate_limited') : null;
}

/** The limit that was hit; null where the error mentions none. */
function limitOf(facts: RefusalFacts): Reason | null {
  if (wordsMean('bill', facts)) return 'quota';
  // "Too many requests" is only the name of the status, unless a wait stands beside it.
  const throttled = codeMeans('rate', facts) || (facts.wait !== null && codeMeans('status429', facts));
  if (codeMeans('quota', facts) && !(throttled && waitingHelps(facts))) return 'quota';
  if (codeMeans('overloaded', facts)) return 'overloaded';
  if (facts.limits.some((limit) => /per_?day|daily|per_?month/i.test(limit))) return 'quota';
  const aboutMoney = wordsMean('money', facts) || wordsMean('quota', facts);
  const aboutRate = wordsMean('rate', facts);
  const aboutLoad = wordsMean('overloaded', facts);
  if (aboutMoney && !aboutRate && !throttled && facts.wait === null) return 'quota';
  if (isLongWindow(facts, aboutMoney)) return 'quota';
  // "Too many requests" is only the name of the status, so words about load take precedence.
  if (aboutLoad && !aboutRate) return 'overloaded';
  return aboutRate || throttled || facts.wait !== null ? 'rate_limited' : null;
}

/** A day's or a month's allowance is used up, and no wait of minutes is offered for it. */
function isLongWindow(facts: RefusalFacts, aboutMoney: boolean): boolean {
  if (!wordsMean('longWindow', facts)) return false;
  return aboutMoney || (!/per[ -_]?(?:min|sec)/i.test(facts.prose) && (facts.wait ?? Infinity) > longestThrottle);
}

/** Seconds. After a longer wait it is the window of a plan that has to pass, not a rate. */
const longestThrottle = 3600;

/** A throttle code stands beside a quota type: the quota of a minute, or the end of the money. */
function waitingHelps(facts: RefusalFacts): boolean {
  if (wordsMean('longWindow', facts)) return false;
  return facts.wait === null || facts.wait <= longestThrottle;
}

/** The request may still be the cause of a 5xx; only the words of the error show it. */
function ofServerError(facts: RefusalFacts, status: number): Reason {
  const isGatewayStatus = status === 502 || status === 504 || (status >= 520 && status < 528) || status === 530;
  if (isLoadStatus(status)) return ofLoad(facts);
  if (facts.html) return isGatewayStatus ? 'gateway' : 'server_error';
  const inner = facts.statuses.find((nested) => nested >= 400 && nested < 500);
  if (inner !== undefined) return ofClientError(facts, inner);
  if (codeMeans('quota', facts) || codeMeans('rate', facts)) return limitOf(facts) ?? 'rate_limited';
  const meaning = requestMeaning(facts);
  // Behind a gateway's status, a word about load says that the gateway got no answer.
  if (meaning !== null && meaning !== 'overloaded') return meaning;
  if (isGatewayStatus) return 'gateway';
  if (wordsMean('gateway', facts)) return 'gateway';
  if (errorMeans('overloaded', facts)) return 'overloaded';
  return 'server_error';
}

/** Such a status names the cause, whatever the body says of the request. The words only tell which limit it was. */
function ofLoad(facts: RefusalFacts): Reason {
  if (facts.html) return 'gateway';
  const limit = limitOf(facts);
  if (limit !== null) return limit;
  if (facts.statuses.includes(429)) return 'rate_limited';
  return wordsMean('gateway', facts) ? 'gateway' : 'overloaded';
}

function detailOf(facts: RefusalFacts): string {
  const messages = [...new Set(facts.messages.map((message) => message.replaceAll(/\s+/g, ' ').trim()))]
    .slice(0, 3)
    .join(' | ');
  const code = facts.codes.find((word) => !/^[45]\d\d$/.test(word) && !messages.includes(word));
  const words = [messages === '' ? null : messages, code === undefined ? null : `(${code})`].filter(
    (part) => part !== null,
  );
  const unworded = facts.html ? 'an HTML page' : 'without a message';
  const whole = words.length > 0 ? words.join(' ') : unworded;
  const text = excerpt(whole, 300);
  return facts.status === null ? text : `HTTP ${facts.status}: ${text}`;
}

/** The meaning of an answer for further requests, whatever it says about the model. */
type AnswerSign =
  /** The service answered this request, well or badly. */
  | { readonly kind: 'answered' }
  /** The service has too much to do. */
  | { readonly kind: 'load' }
  /** The service will not work for free. */
  | { readonly kind: 'unpaid'; readonly detail: string }
  /** The service refuses the key. */
  | { readonly kind: 'key'; readonly detail: string }
  /** Nothing: no answer came, or an error that says nothing about load. */
  | { readonly kind: 'none' };

export function answerSignOf(request: Json, answer: Answer): AnswerSign {
  try {
    return readAnswerSign(request, answer);
  } catch {
    // An error that chatspec cannot read says nothing about load; its judgement says what happened.
    return { kind: 'none' };
  }
}

function readAnswerSign(request: Json, answer: Answer): AnswerSign {
  const { status } = answer;
  const isWhole = answer.failure === null || answer.failure.kind === 'bad_encoding';
  if (status === null || !isWhole) return { kind: 'none' };
  const error = errorOfAnswer(request, answer);
  if (error === null) return { kind: 'answered' };
  const { reason, detail } = error;
  if (reason === 'quota') return { kind: 'unpaid', detail };
  if (reason === 'auth') return { kind: 'key', detail };
  if (isLoadStatus(status) || reason === 'rate_limited') return { kind: 'load' };
  if (reason === 'overloaded' && (status >= 500 || isSuccess(status))) return { kind: 'load' };
  return needsControl({ ...error, status }) || reason === 'gateway' ? { kind: 'none' } : { kind: 'answered' };
}

/** The error that an answer is, by its status, or that stands in place of a completion. */
interface AnswerError extends Classification {
  readonly class: 'http_error' | 'malformed_response';
}

/** null: the answer is no error, or nobody can read it. */
export function errorOfAnswer(request: Json, answer: Answer): AnswerError | null {
  const { status, headers, body } = answer;
  if (status === null) return null;
  if (!isSuccess(status)) {
    return { class: 'http_error', ...classify({ status, headers, body: body.join(''), request }) };
  }
  const reading = readExchangeAnswer(answer);
  if (reading.kind !== 'error') return null;
  return { class: 'malformed_response', ...classify({ status: null, headers, body: reading.error, request }) };
}
