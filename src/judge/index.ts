/** The judge as a library: what a careful client checks, in order, on any exchange with a Chat Completions service. */
export { readAnswer } from '../chat/read-answer.js';
export { retryAfterOf } from '../chat/errors/retry-after.js';
export { quirks, type Quirk } from '../chat/quirks.js';
export type { Answer, Exchange, TransportFailure, TransportFailureKind } from '../chat/exchange.js';
export type { Ending, Reading, Reply, ToolCall } from '../chat/reply.js';
export { classify, type Classification } from './refusals/classify.js';
export type { Refusal } from './refusals/refusal.js';
export { checkSchema, schemaProblem, type Conformance } from './schema/conformance.js';
export type { Expectation, ExpectSpec, Rule } from './expectation.js';
export { asFinding, judge, type JudgeValues } from './judge.js';
export { jsonataProblem } from './jsonata/jsonata-engine.js';
export * from './outcome.js';
export { outcomeProse, type Prose } from './outcome-prose.js';
export { reasonProse } from './reason-prose.js';
export { tokenUse } from '../chat/token-use.js';
