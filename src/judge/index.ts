/**
 * The judge in an application: what a careful client checks, in order, on any answer of a Chat Completions service.
 * Plain JavaScript without network, files or modules of Node; it makes no code from text, so it runs in browsers and on
 * the edge.
 */
export { checkSchema, judge } from './application/judge-answer.js';
export type { CheckRule, CheckedExpectation as Expectation, Expect } from './application/judge-answer.js';
export type { Judgement, JudgeOptions } from './application/judge-answer.js';
export type { Arriving, FetchResponse, ReadAnswer } from './application/arriving.js';
export { readAnswer, retryAfterOf } from './application/read-answer.js';
export { serverErrorAsFailure } from './climb.js';
export { classify } from './refusals/classify.js';
export type { LogFields } from './application/exchange-facts.js';
export { nextSteps, type NextStep, type RetryAdvice } from './application/retry-advice.js';
export type { JudgeValues } from './context.js';
export { checks, type Check } from './expectation.js';
export type { Clue } from './clue.js';
export { rungs, type Outcome, type Rung, type Violation } from './outcome.js';
export { outcomeClasses, outcomeProse, reasonProse, reasons } from './outcome.js';
export type { OutcomeClass, Reason } from './outcome.js';
export type { Classification } from './refusals/classify.js';
export type { Refusal } from './refusals/refusal.js';
export { schemaProblem, type Conformance } from './schema/read-schema.js';

export type { Answer, ConnectionFault, Exchange, TransportFailure, TransportFailureKind } from '../chat/exchange.js';
export { quirks, type Quirk } from '../chat/quirks.js';
export type { Reading, Reply, ToolCall } from '../chat/reply.js';
export { tokenUse, type TokenUse } from '../chat/tokens.js';

export type { Opportunity } from '../chat/quirks.js';
export type { Ending } from '../chat/reply.js';
export type { Json, JsonArray, JsonObject } from '../json/json.js';
export type { UndiciData, WithResponse } from './application/arriving.js';
export type { ExchangeFacts } from './application/exchange-facts.js';
export type { Judge, RuleAnswer, RuleInput } from './application/judge-answer.js';
export type { RequestForm } from './application/retry-advice.js';
export type { ExpectSpec, Expectation as WholeExpectation, Rule, RuleClass } from './expectation.js';
export type { ClassProse, ComparedAnswer, ComparedDocument, Prose, ReasonEntry } from './outcome.js';
export type { WireForm, WireSighting } from './wire/wire-form.js';
