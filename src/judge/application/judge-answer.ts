import type { Exchange } from '../../chat/exchange.js';
import type { Json, JsonObject } from '../../json/json.js';
import { isObject } from '../../json/json.js';
import { builtInMasked } from '../../masking/key-like.js';
import { judgedBy } from '../climb.js';
import type { JudgeValues } from '../context.js';
import { derive, explicit } from '../derived-expectation.js';
import type { Expectation, ExpectSpec } from '../expectation.js';
import type { Outcome } from '../outcome.js';
import { unjudged } from '../own-failure.js';
import { waitFor, type Arriving } from './arriving.js';
import { logFields, type LogFields } from './log-fields.js';
import { numbered, portableEngine, type CheckRule } from './portable-engine.js';
import { arrived, isExchange, type Arrived } from './read-forms.js';
import { retryAdvice, type RetryAdvice } from './retry-advice.js';

/** What must come back. What is left out follows from the request, as in a suite. */
export interface Expect extends Omit<ExpectSpec, 'rules'> {
  readonly rules?: readonly CheckRule[];
}

/** A complete expectation whose rules are functions. */
export interface CheckedExpectation extends Omit<Expectation, 'rules'> {
  readonly rules: readonly CheckRule[];
}

export interface JudgeOptions {
  /** The body as sent; it may be left out for an exchange, which has it. */
  readonly request?: object;
  readonly expect?: Expect;
  /** For the log: where the request went, unless the answer knows. */
  readonly url?: string;
  /** For the log: when the request was sent. */
  readonly sentAt?: Date;
}

/** An outcome, what to log of it, and what to do next. */
export interface Judgement extends Outcome {
  readonly log: LogFields;
  readonly retry: RetryAdvice;
}

/**
 * Judges an answer in the client check order. Never throws, whatever a service answers; an error that no HTTP client
 * throws is thrown again.
 * @param answer a response of fetch or undici, a completion, the chunks of a stream, an error of the client, a promise of
 * any of these, or what was read: `{ status, headers, body }`. A response is read to its end.
 */
export function judge(answer: Arriving, options: JudgeOptions): Promise<Judgement>;
/** @param answer a recorded exchange */
export function judge(answer: Exchange, expectation: CheckedExpectation, values: JudgeValues): Outcome;
/** @param answer an answer that is there already: no promise is returned */
export function judge(answer: unknown, options: JudgeOptions): Judgement;
export function judge(
  answer: unknown,
  given: JudgeOptions | CheckedExpectation,
  values?: JudgeValues,
): Judgement | Promise<Judgement> | Outcome {
  if (values !== undefined) return judgeExplicit(answer as Exchange, given as CheckedExpectation, values);
  const options = given as JudgeOptions;
  if (isExchange(answer)) return judgement(answer, options, answer.request.url, answer.timing.started_at);
  const wait = waitFor(answer);
  if (wait === null) return judgeArrived(arrived(answer), options);
  return wait().then((there) => judgeArrived(there, options));
}

function judgeExplicit(exchange: Exchange, expectation: CheckedExpectation, values: JudgeValues): Outcome {
  const rules = numbered(expectation.rules);
  return outcomeOf(exchange, { ...expectation, rules }, values, expectation.rules);
}

function judgeArrived({ answer, url }: Arrived, options: JudgeOptions): Judgement {
  if (options.request === undefined) throw new TypeError('`request` is missing: the body as it was sent');
  const address = options.url ?? url;
  const at = options.sentAt?.toISOString() ?? null;
  const request = { url: address ?? '', headers: {}, body: options.request as Json };
  const exchange = { request, answer, timing: { started_at: at ?? '', headers_ms: null, total_ms: 0 } };
  return judgement(exchange, options, address, at);
}

function judgement(
  exchange: Exchange,
  { request: given, expect = {} }: JudgeOptions,
  url: string | null,
  at: string | null,
): Judgement {
  const body = (given as Json | undefined) ?? exchange.request.body;
  const request: JsonObject = isObject(body) ? body : {};
  const { rules = [], ...spec } = expect;
  const expectation = explicit(derive(request), { ...spec, rules: numbered(rules) });
  const outcome = outcomeOf(exchange, expectation, { vars: {}, request, steps: {} }, rules);
  const sent: Exchange = { ...exchange, request: { ...exchange.request, body: request } };
  return {
    ...outcome,
    // A service may quote the key that it refuses, and details are printed.
    detail: outcome.detail === null ? null : builtInMasked(outcome.detail),
    log: logFields(sent, outcome, { url, at }),
    retry: retryAdvice(request, exchange.answer, outcome, Date.now()),
  };
}

function outcomeOf(
  exchange: Exchange,
  expectation: Expectation,
  values: JudgeValues,
  rules: readonly CheckRule[],
): Outcome {
  try {
    return judgedBy(portableEngine(rules), exchange, { expectation, values });
  } catch (error) {
    return unjudged(error, exchange.answer.status);
  }
}
