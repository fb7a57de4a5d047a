import { isSuccess, type Exchange } from '../chat/exchange.js';
import { excerpt } from '../chat/excerpt.js';
import { replyIn } from '../chat/read-answer.js';
import { compare } from './compared.js';
import { judgeContext, type Failure, type JudgeContext, type JudgeValues, type Judging } from './context.js';
import { applyExpectedFailure } from './expected-failure.js';
import type { Expectation } from './expectation.js';
import { ladder } from './rungs/ladder.js';
import type { Compared, Outcome } from './outcome.js';
import { replyQuirks } from './reply-quirks.js';
import { unjudged } from './own-failure.js';
import { allPatience, OutOfPatience, shortPatience, type Patience } from './schema/time-limit.js';
import { sightingOf } from './wire/sighting.js';

export { serverErrorAsFailure } from './expected-failure.js';
export type { JudgeValues, Judging } from './context.js';

/**
 * Judges one exchange as a careful client would: it climbs the ladder until a rung fails. Synchronous; never throws:
 * where chatspec itself fails, the outcome is a fault without a class.
 * @param expectation what must come back; nothing is derived from the request here
 * @param values what the rules of the expectation may refer to
 */
export function judge(exchange: Exchange, expectation: Expectation, values: JudgeValues): Outcome {
  return judged(exchange, { expectation, values }, allPatience);
}

/**
 * Judges an answer as {@link judge} does if the checks that may take more than linear time take no longer than so many
 * milliseconds together; null where they do.
 */
export function judgeWithin(milliseconds: number, exchange: Exchange, judging: Judging): Outcome | null {
  try {
    return judged(exchange, judging, shortPatience(milliseconds));
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

interface Climb {
  readonly failure: Failure | null;
  /** Where something was to be compared, and the answer is no fault. */
  readonly compared?: Compared;
}

/** The part of judging that may take long. Never throws. */
export function climbLadder(exchange: Exchange, judging: Judging): Climbed {
  try {
    return { kind: 'climbed', ...climb(judgeContext(exchange, judging, allPatience), judging) };
  } catch (error) {
    return { kind: 'unjudged', error: error instanceof Error ? error : new Error(String(error)) };
  }
}

/** The outcome of an answer whose way up the ladder is known. Never throws. */
export function outcomeAfter(climbed: Climbed, exchange: Exchange, judging: Judging): Outcome {
  try {
    if (climbed.kind === 'unjudged') return unjudged(climbed.error, exchange.answer.status);
    const outcome = outcomeOf(judgeContext(exchange, judging, allPatience), climbed);
    return applyExpectedFailure(outcome, judging.expectation);
  } catch (error) {
    return unjudged(error, exchange.answer.status);
  }
}

/** Throws only {@link OutOfPatience}. */
function judged(exchange: Exchange, judging: Judging, patience: Patience): Outcome {
  try {
    const context = judgeContext(exchange, judging, patience);
    return applyExpectedFailure(outcomeOf(context, climb(context, judging)), judging.expectation);
  } catch (error) {
    if (error instanceof OutOfPatience) throw error;
    return unjudged(error, exchange.answer.status);
  }
}

function climb(context: JudgeContext, { comparison }: Judging): Climb {
  const failure = firstFailure(context);
  if (comparison === undefined || failure?.fault === true) return { failure };
  return { failure, compared: compare(readingOf(context), comparison, context.patience) };
}

function firstFailure(context: JudgeContext): Failure | null {
  for (const rung of ladder) {
    const failure = rung(context);
    if (failure !== null) return failure;
  }
  return null;
}

/** An answer that is no success is not read as a reply. */
function readingOf(context: JudgeContext): Pick<Outcome, 'value' | 'reply'> {
  const reading = isSuccess(context.exchange.answer.status) ? context.reading() : null;
  return {
    value: reading?.kind === 'reply' ? context.value() : undefined,
    reply: reading === null ? null : replyIn(reading),
  };
}

/** Characters: a service may put megabytes into a name that a detail quotes. */
const longestDetail = 2000;

function outcomeOf(context: JudgeContext, { failure, compared }: Climb): Outcome {
  const { status } = context.exchange.answer;
  const reading = isSuccess(status) ? context.reading() : null;
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
    ...readingOf(context),
    ...(compared !== undefined && { compared }),
    step: null,
    recovered: null,
  };
}
