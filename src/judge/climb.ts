import { excerpt } from '../chat/excerpt.js';
import { isSuccess, type Exchange } from '../chat/exchange.js';
import { replyIn } from '../chat/read-answer.js';
import { compareReplyDocuments } from './compared.js';
import { judgeContext, type Failure, type JudgeContext, type Judging } from './context.js';
import { damageIn } from './damage.js';
import { checks, type Engine, type Expectation } from './expectation.js';
import { needsControl, nothingLearned, type Outcome } from './outcome.js';
import { ladder } from './rungs/ladder.js';
import { endedAtCap, whereTokensWent } from './rungs/presence.js';
import { replyQuirks, sightingOf } from './wire/opportunities.js';

/** Judges one exchange with these checks. Throws what they throw. */
export function judgedBy(engine: Engine, exchange: Exchange, judging: Judging): Outcome {
  const context = judgeContext(exchange, judging, engine);
  const failure = withDamage(withRepairedCut(firstFailure(context), context), context);
  const outcome = climbedOutcome(context, failure);
  return applyExpectedFailure(withComparison(outcome, context, judging), judging.expectation, context);
}

function withComparison(outcome: Outcome, context: JudgeContext, { comparison }: Judging): Outcome {
  if (comparison === undefined || outcome.fault) return outcome;
  const isDamaged = outcome.value !== undefined && damageIn(context) !== null;
  return { ...outcome, compared: compareReplyDocuments(outcome, comparison, context.engine.checkSchema, isDamaged) };
}

/**
 * A service may close the call that the cap cut, and call it done: what is then missing or wrong in arguments that took
 * exactly the tokens of the cap was cut. Nothing closes a text, so one that ends with `stop` is whole.
 */
function withRepairedCut(failure: Failure | null, context: JudgeContext): Failure | null {
  if (failure?.class !== 'rule_violation' && failure?.class !== 'schema_violation') return failure;
  const { finish_reason: reason, tool_calls: calls } = context.reply;
  if (calls.length === 0 || reason !== 'tool_calls' || !endedAtCap(context)) return failure;
  const said = `finish_reason is ${reason}, and what the cap cut was closed`;
  const spent = whereTokensWent(context);
  return { class: 'truncated', rung: 'accepted', detail: `the answer was cut: ${said} (${spent}; ${failure.detail})` };
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
function climbedOutcome(context: JudgeContext, failure: Failure | null): Outcome {
  const { status } = context.exchange.answer;
  const reading = isSuccess(status) ? context.reading : null;
  const quirks = reading === null ? [] : replyQuirks(context);
  const sighting = reading === null ? null : sightingOf(context, quirks);
  return {
    ...nothingLearned,
    ...(failure ?? { passed: true, rung: 'correct' }),
    detail: failure === null || failure.detail === null ? null : excerpt(failure.detail, longestDetail),
    status,
    quirks,
    wire: sighting === null ? [] : [sighting],
    value: reading?.kind === 'reply' ? context.value : undefined,
    reply: reading === null ? null : replyIn(reading),
  };
}

/**
 * The outcome of a 5xx, or of another error that names no reason, that repeats although a control right after it
 * succeeds. Since the request causes it, it is no longer a fault; given the expectation, it passes if that very failure
 * was expected. Any other outcome is returned unchanged.
 */
export function serverErrorAsFailure(outcome: Outcome, expectation: Expectation | null = null): Outcome {
  if (!needsControl(outcome)) return outcome;
  const failure = { ...outcome, fault: false };
  return expectation === null ? failure : applyExpectedFailure(failure, expectation, null);
}

/**
 * Lets an expected refusal or failure pass, and fails an answer that should have failed but did not.
 * @param context of the answer; null where there is none at hand, as of an error
 */
function applyExpectedFailure(outcome: Outcome, expectation: Expectation, context: JudgeContext | null): Outcome {
  const { rejected, outcome: expected } = expectation;
  if (rejected !== null && isExpectedRefusal(outcome, rejected)) return passed(outcome);
  if (expected !== null) return requireOutcome(outcome, expected, context);
  if (rejected?.only !== true || !outcome.passed) return outcome;
  return failedOutcome(outcome, 'accepted although a refusal was expected', 'not_refused');
}

function isExpectedRefusal(outcome: Outcome, rejected: NonNullable<Expectation['rejected']>): boolean {
  if (outcome.class !== 'http_error' || outcome.status === null) return false;
  // Every other request may meet it too: a control has to show that it is this one's.
  if (outcome.fault && needsControl(outcome)) return false;
  const { status, reason } = rejected;
  // A refusal that is temporary or concerns the account is only expected if the suite names it.
  if (status === null && reason === null) return !outcome.fault;
  return (status === null || status.includes(outcome.status)) && (reason === null || reason === outcome.reason);
}

function requireOutcome(
  outcome: Outcome,
  expected: NonNullable<Expectation['outcome']>,
  context: JudgeContext | null,
): Outcome {
  if (outcome.class === expected) return outcome.fault && expected !== 'transport' ? outcome : passed(outcome);
  if (!outcome.passed) return outcome;
  const isAboutEnding = expected === 'truncated' || expected === 'filtered' || expected === 'unexpected_finish_reason';
  const tokens = expected === 'truncated' && context !== null ? whereTokensWent(context) : null;
  const detail = `expected ${expected}, but the answer passed every check${tokens === null ? '' : ` (${tokens})`}`;
  if (expected === 'http_error' || expected === 'refused') return failedOutcome(outcome, detail, 'not_refused');
  return failedOutcome(outcome, detail, isAboutEnding ? 'unexpected_finish_reason' : 'ineffective');
}

/** Keeps the rung that the answer reached. */
function passed(outcome: Outcome): Outcome {
  return { ...outcome, passed: true, fault: false, class: null, reason: null, violations: [] };
}

function failedOutcome(outcome: Outcome, detail: string, as: NonNullable<Outcome['class']>): Outcome {
  return { ...outcome, passed: false, class: as, detail };
}
