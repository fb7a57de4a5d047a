import { isSuccess, type Exchange } from '../chat/exchange.js';
import { replyIn } from '../chat/read-answer.js';
import { judgeContext, type Failure, type JudgeContext, type JudgeValues } from './context.js';
import { applyExpectedFailure } from './expected-failure.js';
import type { Expectation } from './expectation.js';
import { ladder } from './rungs/ladder.js';
import type { Outcome } from './outcome.js';
import { replyQuirks } from './reply-quirks.js';
import { sightingOf } from './wire/sighting.js';

export { serverErrorAsFailure } from './expected-failure.js';
export type { JudgeValues } from './context.js';

/**
 * Judges one exchange as a careful client would: it climbs the ladder until a rung fails. Synchronous; never throws
 * because of what a service answered.
 * @param expectation what must come back; nothing is derived from the request here
 * @param values what the rules of the expectation may refer to
 */
export function judge(exchange: Exchange, expectation: Expectation, values: JudgeValues): Outcome {
  const context = judgeContext(exchange, expectation, values);
  let failure: Failure | null = null;
  for (const rung of ladder) {
    failure = rung(context);
    if (failure !== null) break;
  }
  return applyExpectedFailure(outcomeOf(context, failure), expectation);
}

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
    detail: failure?.detail ?? null,
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
