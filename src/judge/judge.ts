import type { Exchange } from '../chat/exchange.js';
import { readExchangeAnswer } from '../chat/read-answer.js';
import { readsAnswer } from './answer-facts.js';
import { judgedBy } from './climb.js';
import type { JudgeValues, Judging } from './context.js';
import type { Engine, Expectation } from './expectation.js';
import { evaluateAll } from './jsonata/jsonata-engine.js';
import { unjudgedOutcome, type Outcome } from './outcome.js';
import { checkSchema } from './schema/conformance.js';

/**
 * Judges one exchange as a careful client would: it climbs the ladder until a rung fails. Synchronous; never throws:
 * where chatspec itself fails, the outcome is a fault without a class.
 * @param expectation what must come back; nothing is derived from the request here
 * @param values what the rules of the expectation may refer to
 */
export function judgeExchange(exchange: Exchange, expectation: Expectation, values: JudgeValues): Outcome {
  return judgedAs(exchange, { expectation, values });
}

/** Like {@link judgeExchange}. Checks that take longer than seconds are stopped. */
export function judgedAs(exchange: Exchange, judging: Judging): Outcome {
  try {
    return judgedBy(nodeEngine, exchange, judging);
  } catch (error) {
    return unjudgedOutcome(error, exchange.answer.status);
  }
}

/** The engine of a run. */
const nodeEngine: Engine = {
  read: readExchangeAnswer,
  checkSchema,
  evaluate: (rules, input, answer) => {
    const texts = rules.map(({ assert }) => assert);
    return evaluateAll(texts, texts.some(readsAnswer) ? { ...input, answer: answer() } : input);
  },
};
