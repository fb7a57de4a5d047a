import type { Exchange } from '../../chat/exchange.js';
import { objectOf } from '../../chat/fields.js';
import { parseJson } from '../../chat/parse-json.js';
import type { JsonObject } from '../../json/json.js';
import { isObject } from '../../json/json.js';
import { builtInMasked } from '../../masking/key-like.js';
import { judgedBy } from '../climb.js';
import type { JudgeValues } from '../context.js';
import { derive, explicit } from '../derived-expectation.js';
import type { Expectation } from '../expectation.js';
import type { Outcome } from '../outcome.js';
import { unjudged } from '../own-failure.js';
import { waitFor, type Arriving } from './arriving.js';
import { logFields, type LogFields, type Sent } from './log-fields.js';
import { numbered, portableEngine, type CheckRule } from './portable-engine.js';
import { checkJudgeOptions, type Expect, type JudgeOptions } from './judge-options.js';
import { arrived, isExchange, type Arrived } from './read-forms.js';
import type { RetryAdvice } from './next-steps.js';
import { retryAdvice } from './retry-advice.js';

/** A complete expectation whose rules are functions. */
export interface CheckedExpectation extends Omit<Expectation, 'rules'> {
  readonly rules: readonly CheckRule[];
}

/** An outcome, what to log of it, and what to do next. */
export interface Judgement extends Outcome {
  readonly log: LogFields;
  readonly retry: RetryAdvice;
}

/**
 * Judges an answer in the client check order. Never throws, whatever a service answers; an error that no HTTP client
 * throws is thrown again, and a mistake in the options is a TypeError.
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
  checkJudgeOptions(options);
  if (isExchange(answer)) return judgeExchange(answer, options);
  const wait = waitFor(answer);
  if (wait === null) return judgeArrived(arrived(answer), options);
  return wait().then((there) => judgeArrived(there, options));
}

function judgeExplicit(exchange: Exchange, expectation: CheckedExpectation, values: JudgeValues): Outcome {
  if (!isExchange(exchange)) throw new TypeError('`judge` with values: the first argument must be an exchange');
  if (!Array.isArray((expectation as CheckedExpectation | undefined)?.rules))
    throw new TypeError('`judge` with values: the second argument must be a complete expectation');
  const { rules } = expectation;
  const complete = isWithoutRules(expectation) ? expectation : { ...expectation, rules: numbered(rules) };
  return outcomeOf(exchange, complete, values, rules);
}

/** As it is, it serves the ladder as well: a copy takes longer than most checks. */
function isWithoutRules(expectation: CheckedExpectation): expectation is CheckedExpectation & { rules: readonly [] } {
  return expectation.rules.length === 0;
}

function judgeExchange(exchange: Exchange, { request: given, expect }: JudgeOptions): Judgement {
  const { url, headers, body } = exchange.request;
  const { answer, timing } = exchange;
  const request = given === undefined ? (objectOf(body) ?? {}) : sentBody(given);
  const sent: Exchange = { request: { url, headers, body: request }, answer, timing };
  return judgement(sent, request, expect, { url, at: timing.started_at });
}

function judgeArrived({ answer, url }: Arrived, options: JudgeOptions): Judgement {
  if (options.request === undefined) throw new TypeError('`request` is missing: the body as it was sent');
  const body = sentBody(options.request);
  const sent: Sent = { url: options.url ?? url, at: options.sentAt?.toISOString() ?? null };
  const request = { url: sent.url ?? '', headers: {}, body };
  const exchange = { request, answer, timing: { started_at: sent.at ?? '', headers_ms: null, total_ms: 0 } };
  return judgement(exchange, body, options.expect, sent);
}

function judgement(exchange: Exchange, request: JsonObject, expect: Expect | undefined, sent: Sent): Judgement {
  const rules = expect?.rules ?? [];
  const spec = expect === undefined ? {} : { ...expect, rules: numbered(rules) };
  const expectation = explicit(derive(request), spec);
  const outcome = masked(outcomeOf(exchange, expectation, { vars: {}, request, steps: {} }, rules));
  const log = logFields(exchange, outcome, sent);
  const retry = retryAdvice(request, exchange.answer, outcome, Date.now);
  // Into the outcome, which nobody else has: a copy of so many members would take longer than to judge most answers.
  const told: Outcome & { log?: LogFields; retry?: RetryAdvice } = outcome;
  told.log = log;
  told.retry = retry;
  return told as Judgement;
}

/** A body that is misread would ask for nothing, so that any answer passes. */
function sentBody(given: unknown): JsonObject {
  const read = typeof given === 'string' ? parseJson(given) : null;
  const body = read === null ? given : read.ok ? read.value : null;
  if (isObject(body)) return body;
  throw new TypeError('`request` is no object: give the body as it was sent, or its JSON text');
}

/** A service or a rule may quote a key, and details are printed. */
function masked(outcome: Outcome): Outcome {
  const { detail, violations } = outcome;
  if (detail === null && violations.length === 0) return outcome;
  // Into the outcome, as above.
  return Object.assign(outcome, {
    detail: detail === null ? null : builtInMasked(detail),
    violations: violations.map(({ at, message }) => ({ at: builtInMasked(at), message: builtInMasked(message) })),
  });
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
