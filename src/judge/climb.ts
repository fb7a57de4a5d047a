import { isSuccess, type Exchange } from '../chat/exchange.js';
import { excerpt } from '../chat/excerpt.js';
import { replyIn } from '../chat/read-answer.js';
import { compare } from './compared.js';
import { judgeContext, readingOf, valueOf, type Failure, type JudgeContext, type Judging } from './context.js';
import { damageIn } from './damage.js';
import type { Engine } from './engine.js';
import { applyExpectedFailure } from './expected-failure.js';
import { checks } from './expectation.js';
import { ladder } from './rungs/ladder.js';
import type { Compared, Outcome } from './outcome.js';
import { replyQuirks } from './reply-quirks.js';
import { sightingOf } from './wire/sighting.js';

/** How an answer fares on the ladder. */
export interface Climb {
  readonly failure: Failure | null;
  /** Where something was to be compared, and the answer is no fault. */
  readonly compared?: Compared;
}

/** Judges one exchange with these checks. Throws what they throw. */
export function judgedBy(engine: Engine, exchange: Exchange, judging: Judging): Outcome {
  const context = judgeContext(exchange, judging, engine);
  return applyExpectedFailure(outcomeOf(context, climb(context, judging)), judging.expectation, context);
}

/** Climbs until a rung fails, and compares what is to be compared. */
export function climb(context: JudgeContext, { comparison }: Judging): Climb {
  const failure = withDamage(firstFailure(context), context);
  if (comparison === undefined || failure?.fault === true) return { failure };
  const read = readIn(context);
  const isDamaged = read.value !== undefined && damageIn(context) !== null;
  return { failure, compared: compare(read, comparison, context.engine.checkSchema, isDamaged) };
}

/** Values that break a rule or a schema may do so because their text came back damaged. */
function withDamage(failure: Failure | null, context: JudgeContext): Failure | null {
  if (failure?.class !== 'rule_violation' && failure?.class !== 'schema_violation') return failure;
  const damage = damageIn(context);
  return damage === null ? failure : { ...failure, detail: `${damage}; ${failure.detail ?? ''}` };
}

function firstFailure(context: JudgeContext): Failure | null {
  const { skip } = context.expectation;
  for (const check of checks) {
    if (skip?.includes(check) === true) continue;
    const failure = ladder[check](context);
    if (failure !== null) return failure;
  }
  return null;
}

/** An answer that is no success is not read as a reply. */
function readIn(context: JudgeContext): Pick<Outcome, 'value' | 'reply'> {
  const reading = isSuccess(context.exchange.answer.status) ? readingOf(context) : null;
  return {
    value: reading?.kind === 'reply' ? valueOf(context) : undefined,
    reply: reading === null ? null : replyIn(reading),
  };
}

/** Characters: a service may put megabytes into a name that a detail quotes. */
const longestDetail = 2000;

/** The outcome of an answer whose way up the ladder is known. */
export function outcomeOf(context: JudgeContext, { failure, compared }: Climb): Outcome {
  const { status } = context.exchange.answer;
  const reading = isSuccess(status) ? readingOf(context) : null;
  const quirks = reading === null ? [] : replyQuirks(context);
  const sighting = reading === null ? null : sightingOf(context, quirks);
  const { value, reply } = readIn(context);
  // Spreading in the middle of a literal costs several times as much as all the members, and this is done for each answer.
  const outcome: Outcome = {
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
    value,
    reply,
    step: null,
    recovered: null,
  };
  return compared === undefined ? outcome : { ...outcome, compared };
}
