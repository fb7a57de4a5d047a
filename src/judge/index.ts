/**
 * The judge in an application: what a careful client checks, in order, on any answer of a Chat Completions service.
 * Plain JavaScript without network, files or modules of Node; it makes no code from text, so it runs in browsers and on
 * the edge.
 */
export type { Answer, ConnectionFault, Exchange, TransportFailure, TransportFailureKind } from '../chat/exchange.js';
export { quirks, type Opportunity, type Quirk } from '../chat/quirks.js';
export type { Ending, Reading, Reply, ToolCall } from '../chat/reply.js';
export { tokenUse, type TokenUse } from '../chat/tokens.js';
export type { Json, JsonArray, JsonObject } from '../json/json.js';
export type { Arriving, FetchResponse, ReadAnswer, UndiciData, WithResponse } from './application/arriving.js';
export type { ExchangeFacts, LogFields } from './application/exchange-facts.js';
export {
  checkSchema,
  judge,
  type CheckedExpectation as Expectation,
  type CheckRule,
  type Expect,
  type Judge,
  type Judgement,
  type JudgeOptions,
  type RuleAnswer,
  type RuleInput,
} from './application/judge-answer.js';
export { readAnswer, retryAfterOf } from './application/read-answer.js';
export { nextSteps, type NextStep, type RequestForm, type RetryAdvice } from './application/retry-advice.js';
export { serverErrorAsFailure } from './climb.js';
export type { Clue } from './clue.js';
export type { JudgeValues } from './context.js';
export {
  checks,
  type Check,
  type Expectation as WholeExpectation,
  type ExpectSpec,
  type Rule,
  type RuleClass,
} from './expectation.js';
export {
  outcomeClasses,
  outcomeProse,
  reasonProse,
  reasons,
  rungs,
  type ClassProse,
  type ComparedAnswer,
  type ComparedDocument,
  type Outcome,
  type OutcomeClass,
  type Prose,
  type Reason,
  type ReasonEntry,
  type Rung,
  type Violation,
} from './outcome.js';
export { classify, type Classification } from './refusals/classify.js';
export type { Refusal } from './refusals/refusal.js';
export { schemaProblem, type Conformance } from './schema/read-schema.js';
export type { WireForm, WireSighting } from './wire/wire-form.js';
