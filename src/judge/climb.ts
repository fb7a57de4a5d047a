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
import { nothingLearned, type Outcome } from './outcome.js';
import { replyQuirks } from './reply-quirks.js';
import { sightingOf } from './wire/opportunities.js';

/** Judges one exchange with these checks. Throws what they throw. */
export function judgedBy(engine: Engine, exchange: Exchange, judging: Judging): Outcome {
  const context = judgeContext(exchange, judging, engine);
  const failure = withDamage(firstFailure(context), context);
  const outcome = outcomeOf(context, failure);
  return applyExpectedFailure(withComparison(outcome, context, judging), judging.expectation, context);
}

function withComparison(outcome: Outcome, context: JudgeContext, { comparison }: Judging): Outcome {
  if (comparison === undefined || outcome.fault) return outcome;
  const isDamaged = outcome.value !== undefined && damageIn(context) !== null;
  return { ...outcome, compared: compare(outcome, comparison, context.engine.checkSchema, isDamaged) };
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

/** Characters: a service may put megabytes into a name that a detail quotes. */
const longestDetail = 2000;

/** An answer that is no success is not read as a reply. */
function outcomeOf(context: JudgeContext, failure: Failure | null): Outcome {
  const { status } = context.exchange.answer;
  const reading = isSuccess(status) ? readingOf(context) : null;
  const quirks = reading === null ? [] : replyQuirks(context);
  const sighting = reading === null ? null : sightingOf(context, quirks);
  return {
    ...nothingLearned,
    ...(failure ?? { passed: true, rung: 'correct' }),
    detail: failure === null || failure.detail === null ? null : excerpt(failure.detail, longestDetail),
    status,
    quirks,
    wire: sighting === null ? [] : [sighting],
    value: reading?.kind === 'reply' ? valueOf(context) : undefined,
    reply: reading === null ? null : replyIn(reading),
  };
}
