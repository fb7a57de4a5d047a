import type { Exchange } from '../../chat/exchange.js';
import { objectOf } from '../../chat/fields.js';
import { parseJson } from '../../chat/parse-json.js';
import { readExchangeAnswer } from '../../chat/read-answer.js';
import type { Reply } from '../../chat/reply.js';
import { isObject, type JsonObject, type Json } from '../../json/json.js';
import { builtInMasked } from '../../masking/key-like.js';
import { checkOptions, type OptionTable } from '../../options/check-options.js';
import {
  aDate,
  aFlag,
  aList,
  aText,
  anObject,
  anyValue,
  listKind,
  oneOfKind,
  listOfTexts,
  type OptionKind,
} from '../../options/kinds.js';
import type { JudgeValues } from '../context.js';
import {
  derive,
  explicit,
  checks,
  type Expectation,
  type ExpectSpec,
  type Engine,
  type Rule,
  type RuleClass,
} from '../expectation.js';
import type { Evaluated } from '../jsonata/jsonata-engine.js';
import { judgedBy } from '../climb.js';
import { outcomeClasses, reasons, unjudgedOutcome, type Outcome } from '../outcome.js';
import { schemaProblem, checkAlone, type Conformance } from '../schema/read-schema.js';
import { waitFor, arrived, isExchange, type Arriving } from './arriving.js';
import { logFields, type LogFields } from './exchange-facts.js';
import { retryAdvice, type RetryAdvice } from './retry-advice.js';

/** A complete expectation whose rules are functions. */
export interface CheckedExpectation extends Omit<Expectation, 'rules'> {
  readonly rules: readonly CheckRule[];
}

/** An outcome, what to log of it, and what to do next. */
export interface Judgement extends Outcome {
  readonly log: LogFields;
  readonly retry: RetryAdvice;
}

export interface Judge {
  /**
   * Judges an answer in the client check order. Never throws, whatever a service answers; an error that no HTTP client
   * throws is thrown again, and a mistake in the options is a TypeError.
   * @param answer a response of fetch or undici, a completion, the chunks of a stream, an error of the client, a
   * promise of any of these, or what was read: `{ status, headers, body }`. A response is read to its end.
   */
  (answer: Arriving, options: JudgeOptions): Promise<Judgement>;
  /** @param answer a recorded exchange */
  (answer: Exchange, expectation: CheckedExpectation, values: JudgeValues): Outcome;
  /** @param answer an answer that is there already: no promise is returned */
  (answer: unknown, options: JudgeOptions): Judgement;
}

export const judge = judgeAny as Judge;

function judgeAny(
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
  if (!Array.isArray((expectation as CheckedExpectation | undefined)?.rules)) {
    throw new TypeError('`judge` with values: the second argument must be a complete expectation');
  }
  const { rules } = expectation;
  return portableOutcome(exchange, { ...expectation, rules: numbered(rules) }, values, rules);
}

function judgeExchange(exchange: Exchange, { request: given, expect }: JudgeOptions): Judgement {
  const { url, headers, body } = exchange.request;
  const { answer, timing } = exchange;
  const request = given === undefined ? (objectOf(body) ?? {}) : sentBody(given);
  const sent: Exchange = { request: { url, headers, body: request }, answer, timing };
  return judgement(sent, request, expect, { url, at: timing.started_at });
}

function judgeArrived({ answer, url }: ReturnType<typeof arrived>, options: JudgeOptions): Judgement {
  if (options.request === undefined) throw new TypeError('`request` is missing: the body as it was sent');
  const body = sentBody(options.request);
  const sent = { url: options.url ?? url, at: options.sentAt?.toISOString() ?? null };
  const request = { url: sent.url ?? '', headers: {}, body };
  const exchange = { request, answer, timing: { started_at: sent.at ?? '', headers_ms: null, total_ms: 0 } };
  return judgement(exchange, body, options.expect, sent);
}

function judgement(
  exchange: Exchange,
  request: JsonObject,
  expect: Expect | undefined,
  sent: Parameters<typeof logFields>[2],
): Judgement {
  const rules = expect?.rules ?? [];
  const spec = expect === undefined ? {} : { ...expect, rules: numbered(rules) };
  const expectation = explicit(derive(request), spec);
  const outcome = maskedOutcome(portableOutcome(exchange, expectation, { vars: {}, request, steps: {} }, rules));
  const log = logFields(exchange, outcome, sent);
  return { ...outcome, log, retry: retryAdvice(request, exchange.answer, outcome, Date.now()) };
}

function bodyInText(text: string): Json {
  const read = parseJson(text);
  return read.ok ? read.value : null;
}

/** A body that is misread would ask for nothing, so that any answer passes. */
function sentBody(given: unknown): JsonObject {
  const body = typeof given === 'string' ? bodyInText(given) : given;
  if (isObject(body)) return body;
  throw new TypeError('`request` is no object: give the body as it was sent, or its JSON text');
}

/** A service or a rule may quote a key, and details are printed. */
export function maskedOutcome(outcome: Outcome): Outcome {
  const { detail, violations } = outcome;
  return {
    ...outcome,
    detail: detail === null ? null : builtInMasked(detail),
    violations: violations.map((one) => ({ ...one, at: builtInMasked(one.at), message: builtInMasked(one.message) })),
  };
}

function portableOutcome(
  exchange: Exchange,
  expectation: Expectation,
  values: JudgeValues,
  rules: readonly CheckRule[],
): Outcome {
  try {
    return judgedBy(portableEngine(rules), exchange, { expectation, values });
  } catch (error) {
    return unjudgedOutcome(error, exchange.answer.status);
  }
}

/** Demands on an answer. Those that are left out follow from the request, as in a suite. */
export interface Expect extends Omit<ExpectSpec, 'rules'> {
  readonly rules?: readonly CheckRule[];
}

export interface JudgeOptions {
  /** The body as sent, or its text; it may be left out for an exchange, which has it. */
  readonly request?: object | string;
  readonly expect?: Expect;
  /** For the log: where the request went, unless the answer knows. */
  readonly url?: string;
  /** For the log: when the request was sent. */
  readonly sentAt?: Date;
}

const options: OptionTable<JudgeOptions> = {
  request: anyValue,
  expect: anObject,
  url: aText,
  sentAt: aDate,
};

const aCall: OptionKind = {
  words: 'true, false, "optional" or the name of a tool',
  type: (value) => typeof value === 'boolean' || aText.type(value),
};
const expectation: OptionTable<Expect> = {
  tool_call: aCall,
  content: oneOfKind(['text', 'json', 'any']),
  schema: anyValue,
  finish_reason: listOfTexts,
  rejected: anObject,
  outcome: oneOfKind(outcomeClasses, 'an outcome class'),
  rules: aList,
  reasoning: oneOfKind(['present', 'absent']),
  skip: listKind({ words: checks.join(', '), type: (value) => checks.some((check) => check === value) }),
};

const rejected: OptionTable<NonNullable<Expect['rejected']>> = {
  status: listKind({ words: 'numbers', type: (value) => typeof value === 'number' }),
  reason: oneOfKind(reasons, 'a reason'),
  only: aFlag,
};

/** A misspelt member would ask for nothing, so that any answer passes. */
function checkJudgeOptions(given: JudgeOptions): void {
  checkOptions('`judge`', given, options);
  if (given.expect !== undefined) checkExpect(given.expect);
}

/** Throws a TypeError or a RangeError for an expectation that cannot be used. */
export function checkExpect(given: Expect | ExpectSpec): void {
  checkOptions('the expectation `expect`', given, expectation);
  checkSchemaOf(given);
  if (given.rejected !== undefined) checkOptions('`expect.rejected`', given.rejected, rejected);
}

/** The program's own: it says nothing about the service. */
function checkSchemaOf({ schema }: Pick<ExpectSpec, 'schema'>): void {
  const problem = schema === undefined || schema === null ? null : schemaProblem(schema);
  if (problem !== null) throw new TypeError(`\`expect.schema\` cannot be used: ${builtInMasked(problem)}`);
}

/** The surroundings of a value that a rule may look at. */
export interface RuleInput {
  /** The body as sent. */
  readonly request: Json;
  readonly reply: Reply;
  /** The answer as it came; read only where a rule looks at it. */
  readonly answer: RuleAnswer;
}

/** The answer that a rule may look at: `body` (JSON, else text), or the `chunks` of a stream. */
export interface RuleAnswer {
  readonly status: number | null;
  /** Names in lower case; empty for a parsed completion. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Json;
  /** Each with `at_ms`. */
  readonly chunks?: readonly JsonObject[];
  /** Milliseconds since the request was sent; null: not known. */
  readonly timing: Readonly<Record<'headers_ms' | 'first_content_ms' | 'last_content_ms' | 'total_ms', number | null>>;
}

/** A rule of an application: a function, since JSONata makes code and waits. */
export interface CheckRule {
  readonly id: string;
  /**
   * Whether the value keeps the rule; only `true` does. An error that it throws is reported as its violation.
   * @param value the parsed content, the call's arguments, or the text
   */
  readonly check: (value: Json, input: RuleInput) => boolean;
  /** The words for a broken rule. */
  readonly message?: string;
  /** `ineffective` where it asks for the effect of a setting; default: `rule_violation`. */
  readonly class?: RuleClass;
}

/**
 * Validates a value against a JSON Schema: 2020-12, unless its `$schema` names another dialect. Gives the first 50
 * violations. Never throws.
 */
export const checkSchema: (value: Json, schema: Json) => Conformance = checkAlone;

/** The engine of an application: plain JavaScript, without a time limit. */
function portableEngine(rules: readonly CheckRule[]): Engine {
  return {
    read: readExchangeAnswer,
    checkSchema,
    evaluate: (asked, input, answer) => {
      const given = inputOfRules(input, answer);
      return asked.map(({ assert }) => evaluatedRule(rules[Number(assert)], input['value'] as Json, given));
    },
  };
}

/** The rules as the ladder knows them: their texts are their places in the list. */
function numbered(rules: readonly CheckRule[]): readonly Rule[] {
  return rules.map(({ id, check, message = 'the value breaks this rule', class: kind }, index) => {
    if (typeof check === 'function') {
      return { id, assert: String(index), message, ...(kind !== undefined && { class: kind }) };
    }
    throw new TypeError(`rule ${id} has no function \`check\`; JSONata rules are judged by \`judge\` of 'chatspec'`);
  });
}

function inputOfRules(input: JsonObject, answer: () => JsonObject): RuleInput {
  const { request, reply } = input as unknown as RuleInput;
  let kept: RuleAnswer | null = null;
  return {
    request,
    reply,
    get answer() {
      return (kept ??= answer() as unknown as RuleAnswer);
    },
  };
}

function evaluatedRule(rule: CheckRule | undefined, value: Json, given: RuleInput): Evaluated {
  try {
    const kept: unknown = rule?.check(value, given);
    if (kept instanceof Promise) return promised(kept);
    return { ok: true, value: kept === true };
  } catch (error) {
    return { ok: false, error: errorFirstLine(error) };
  }
}

/** Nobody waits for it, so nobody else hears of its failure. */
function promised(kept: Promise<unknown>): Evaluated {
  kept.catch(() => undefined);
  return { ok: false, error: '`check` gave a promise; a rule has to answer at once' };
}

function errorFirstLine(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
}
