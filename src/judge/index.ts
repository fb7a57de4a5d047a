/** The judge as a library: what a careful client checks, in order, on any exchange with a Chat Completions service. */
export { judge, serverErrorAsFailure, type JudgeValues } from './judge.js';
export type { Expectation, ExpectSpec, Rule } from './expectation.js';
export { rungs, type Outcome, type Rung, type Violation } from './outcome.js';
export { outcomeClasses, outcomeProse, type ClassProse, type OutcomeClass, type Prose } from './outcome-classes.js';
export { reasonProse, reasons, type Reason } from './reasons.js';
export { quirks, type Quirk } from '../chat/quirks.js';

export type { Answer, Exchange, TransportFailure, TransportFailureKind } from '../chat/exchange.js';
export { readAnswer } from '../chat/read-answer.js';
export type { Ending, Reading, Reply, ToolCall } from '../chat/reply.js';
export { tokenUse, type TokenUse } from '../chat/token-use.js';
export { retryAfterOf } from '../chat/errors/retry-after.js';
export { classify, type Classification } from './refusals/classify.js';
export type { Refusal } from './refusals/refusal.js';

export { checkSchema, schemaProblem, type Conformance } from './schema/conformance.js';
export { jsonataProblem } from './jsonata/jsonata-engine.js';
