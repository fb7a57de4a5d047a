/**
 * The judge in an application: what a careful client checks, in order, on any answer of a Chat Completions service. Plain
 * JavaScript without network, files or modules of Node; it makes no code from text, so it runs in browsers and on the edge.
 */
export { judge, type CheckedExpectation as Expectation, type Judgement } from './application/judge-answer.js';
export type { Expect, JudgeOptions } from './application/judge-answer.js';
export type { Arriving, FetchResponse, UndiciData, WithResponse } from './application/arriving.js';
export type { ReadAnswer } from './application/arriving.js';
export type { CheckRule, RuleInput } from './application/portable-engine.js';
export type { LogFields } from './application/exchange-facts.js';
export { nextSteps, type NextStep, type RequestForm, type RetryAdvice } from './application/retry-advice.js';
export type { JudgeValues } from './context.js';
export { checks, type Check } from './expectation.js';
export { rungs, type Outcome, type Rung, type Violation } from './outcome.js';
export { outcomeClasses, outcomeProse, type ClassProse, type OutcomeClass, type Prose } from './outcome-classes.js';
export { reasonProse, reasons, type Reason } from './reasons.js';
export { quirks, type Quirk } from '../chat/quirks.js';

export type { Answer, Exchange, TransportFailure, TransportFailureKind } from '../chat/exchange.js';
export type { Ending, Reading, Reply, ToolCall } from '../chat/reply.js';
export { tokenUse, type TokenUse } from '../chat/tokens.js';
export { classify, readAnswer, retryAfterOf, serverErrorAsFailure } from './application/checked-calls.js';
export type { Classification } from './refusals/classify.js';
export type { Refusal } from './refusals/refusal.js';

export { checkSchema } from './application/portable-engine.js';
export { schemaProblem } from './schema/read-schema.js';
export type { Conformance } from './schema/check-alone.js';
