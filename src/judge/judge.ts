import { isSuccess, type Exchange } from '../chat/exchange.js';
import { excerpt } from '../chat/excerpt.js';
import { replyIn } from '../chat/read-answer.js';
import { judgeContext, type Failure, type JudgeContext, type JudgeValues } from './context.js';
import { applyExpectedFailure } from './expected-failure.js';
import type { Expectation } from './expectation.js';
import { ladder } from './rungs/ladder.js';
import type { Outcome } from './outcome.js';
import { replyQuirks } from './reply-quirks.js';
import { unjudged } from './own-failure.js';
import { sightingOf } from './wire/sighting.js';

export { serverErrorAsFailure } from './expected-failure.js';
export type { JudgeValues } from './context.js';

/**
 * Judges one exchange as a careful client would: it climbs the ladder until a rung fails. Synchronous; never throws:
 * where chatspec itself fails, the outcome is a fault without a class.
 * @param expectation what must come back; nothing is derived from the request here
 * @param values what the rules of the expectation may refer to
 */
export function judge(exchange: Exchange, expectation: Expectation, values: JudgeValues): Outcome {
  try {
    return climb(exchange, expectation, values);
  } catch (error) {
    return unjudged(error, exchange.answer.status);
  }
}

function climb(exchange: Exchange, expectation: Expectation, values: JudgeValues): Outcome {
  const context = judgeContext(exchange, expectation, values);
  let failure: Failure | null = null;
  for (const rung of ladder) {
    failure = rung(context);
    if (failure !== null) break;
  }
  return applyExpectedFailure(outcomeOf(context, failure), expectation);
}

/** Characters: a service may put megabytes into a name that a detail quotes. */
const longestDetail = 2000;

function outcomeOf(context: JudgeContext, failure: Failure | null): Outcome {
  const { status } = context.exchange.answer;
  const reading = isSuccess(status) ? context.reading() : null;
  const reply = reading === null ? null : replyIn(reading);
  const quirks = reading === null ? [] : replyQuirks(context);
  const sighting = reading === null ? null : sightingOf(context, quirks);
  return {
    passed: failure === null,
    fault: failure?.fault ?? false,
    class: failure?.class ?? null,
    reason: failure?.reason ?? null,
    status,
    detail: failure === null || failure.detail === null ? null : excerpt(failure.detail, longestDetail),
    rung: failure === null ? 'correct' : failure.rung,
    quirks,
    wire: sighting === null ? [] : [sighting],
    violations: failure?.violations ?? [],
    value: reading?.kind === 'reply' ? context.value() : undefined,
    reply,
    step: null,
    recovered: null,
  };
}
