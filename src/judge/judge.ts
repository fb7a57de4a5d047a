import type { Exchange } from '../chat/exchange.js';
import { readAnswer } from '../chat/read-answer.js';
import { anExchange } from '../options/arguments.js';
import { checkFirst } from '../options/first-argument.js';
import { climb, judgedBy, outcomeOf, type Climb } from './climb.js';
import { judgeContext, type JudgeValues, type Judging } from './context.js';
import type { Engine } from './engine.js';
import type { Expectation } from './expectation.js';
import { applyExpectedFailure } from './expected-failure.js';
import { evaluateAll } from './jsonata/jsonata-engine.js';
import type { Outcome } from './outcome.js';
import { unjudged } from './own-failure.js';
import { checkSchemaWith } from './schema/conformance.js';
import { allPatience, OutOfPatience, shortPatience, type Patience } from './schema/patience.js';

export { serverErrorAsFailure } from './expected-failure.js';
export type { JudgeValues, Judging } from './context.js';

/** Every check gets its usual time. */
const everything = nodeEngine(allPatience);

/**
 * Judges one exchange as a careful client would: it climbs the ladder until a rung fails. Synchronous; never throws:
 * where chatspec itself fails, the outcome is a fault without a class.
 * @param expectation what must come back; nothing is derived from the request here
 * @param values what the rules of the expectation may refer to
 */
export function judge(exchange: Exchange, expectation: Expectation, values: JudgeValues): Outcome {
  checkFirst('judge', exchange, anExchange);
  return judged(exchange, { expectation, values }, everything);
}

/**
 * Judges an answer as {@link judge} does if the checks that may take more than linear time take no longer than so many
 * milliseconds together; null where they do.
 */
export function judgeWithin(milliseconds: number, exchange: Exchange, judging: Judging): Outcome | null {
  try {
    return judged(exchange, judging, nodeEngine(shortPatience(milliseconds)));
  } catch (error) {
    if (error instanceof OutOfPatience) return null;
    throw error;
  }
}

/** How an answer fares on the ladder. Small and plain data, so that another thread can find it. */
export type Climbed =
  | ({ readonly kind: 'climbed' } & Climb)
  /** chatspec itself failed. */
  | { readonly kind: 'unjudged'; readonly error: Error };

/** The part of judging that may take long. Never throws. */
export function climbLadder(exchange: Exchange, judging: Judging): Climbed {
  try {
    return { kind: 'climbed', ...climb(judgeContext(exchange, judging, everything), judging) };
  } catch (error) {
    return { kind: 'unjudged', error: error instanceof Error ? error : new Error(String(error)) };
  }
}

/** The outcome of an answer whose way up the ladder is known. Never throws. */
export function outcomeAfter(climbed: Climbed, exchange: Exchange, judging: Judging): Outcome {
  try {
    if (climbed.kind === 'unjudged') return unjudged(climbed.error, exchange.answer.status);
    const context = judgeContext(exchange, judging, everything);
    return applyExpectedFailure(outcomeOf(context, climbed), judging.expectation, context);
  } catch (error) {
    return unjudged(error, exchange.answer.status);
  }
}

/** Throws only {@link OutOfPatience}. */
function judged(exchange: Exchange, judging: Judging, engine: Engine): Outcome {
  try {
    return judgedBy(engine, exchange, judging);
  } catch (error) {
    if (error instanceof OutOfPatience) throw error;
    return unjudged(error, exchange.answer.status);
  }
}

/** The engine of a run. Its checks throw {@link OutOfPatience} where they would take longer than they may for now. */
function nodeEngine(patience: Patience): Engine {
  return {
    read: readAnswer,
    checkSchema: (value, schema) => checkSchemaWith(patience, value, schema),
    evaluate: (rules, input) =>
      evaluateAll(
        patience,
        rules.map(({ assert }) => assert),
        input,
      ),
  };
}
