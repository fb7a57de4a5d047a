import type { Answer } from '../../chat/exchange.js';
import { isFailure } from './failure.js';
import { requestKind } from '../../chat/request-kind.js';
import { isLoadStatus } from '../../chat/errors/load-status.js';
import { retryAfterOf } from '../../chat/errors/retry-after.js';
import type { Json } from '../../json/json.js';
import type { RunRequest } from '../../journal/recorded-exchanges.js';
import { signOf, type AnswerSign } from '../../judge/refusals/answer-sign.js';
import type { ModelState } from '../target-state.js';
import type { Governor } from './governor.js';
import type { KindSeen } from './kind-seen.js';

/** Milliseconds. A service that asks for a longer pause (a used-up day or plan) is not waited for. */
export const longestPause = 5 * 60_000;

/** Milliseconds. Refusals for load of two models within this time are a matter of the account. */
const sameMoment = 10_000;

/** Refusals of a kind that was never answered, in changing conditions, that show that its form is the cause. */
const tellingRefusals = 3;

/** Milliseconds since the epoch. */
interface Circumstances {
  readonly sentAt: number;
  readonly now: number;
  /** A failure comes from an outage: it met a control, and the model has answered nothing since its trial first failed. */
  readonly isDown: boolean;
}

/** Applies what an answer means for the requests after it: a pause, fewer or more requests, a stop. */
export function applyBackpressure(
  state: ModelState,
  asked: RunRequest,
  answer: Answer,
  circumstances: Circumstances,
): AnswerSign {
  const { sentAt, now } = circumstances;
  const { body: request, attempt } = asked.send;
  const sign = signOf(request, answer);
  const seen = kindOf(state, request);
  const attempts = attempt === 0 ? seen.first : seen.later;
  switch (sign.kind) {
    case 'unpaid':
      break;
    case 'none':
      if (isFailure(answer)) applyFailure(state, answer, circumstances);
      break;
    case 'answered':
      attempts.answered += 1;
      for (const other of state.kinds.values()) if (other !== seen) other.othersAnswered = true;
      if (!state.target.simulator) for (const one of governors(state)) one.answered(sentAt, now);
      break;
    case 'load':
      attempts.refused += 1;
      applyLoad(state, seen, answer, sentAt, now);
      return sign;
  }
  const wait = sign.kind === 'unpaid' ? 0 : pauseAsked(answer, now);
  if (wait > longestPause) stopForPause(state, wait);
  else state.governor.pause(now + wait);
  return sign;
}

function applyLoad(state: ModelState, seen: KindSeen, answer: Answer, sentAt: number, now: number): void {
  const { target } = state;
  const wait = 1000 * (retryAfterOf(answer, now) ?? 0);
  if (wait > longestPause) {
    stopForPause(state, wait);
    return;
  }
  const ofAccount = !target.simulator && concernsAccount(state, now);
  if (isRefusedAsSuch(seen)) {
    // Slowing down would not help it; what was slowed for its sake goes on as before.
    if (!seen.refusedAsSuch) for (const one of governors(state)) one.reset();
    seen.refusedAsSuch = true;
    return;
  }
  seen.refusedAsSuch = false;
  const scope = ofAccount ? target.governor : state.governor;
  scope.pause(now + wait);
  if (!target.simulator) scope.refused(sentAt, now);
  const since = state.governor.inVainSince();
  if (since !== null && now - since > longestPause) stopForOutage(state, answer.status, now - since);
}

function applyFailure(state: ModelState, { status }: Answer, { sentAt, now, isDown }: Circumstances): void {
  // The faults of the embedded service are those of its models.
  if (state.target.simulator) return;
  state.governor.failed(sentAt, now, isDown);
  const since = state.governor.inVainSince();
  if (since !== null && now - since > longestPause) stopForOutage(state, status, now - since);
}

/**
 * Whether a kind of request is refused whatever else is sent, so that load cannot be the cause: no first attempt was ever
 * answered, and either no later one while other kinds were, or every later one.
 */
function isRefusedAsSuch({ first, later, othersAnswered }: KindSeen): boolean {
  if (first.answered > 0 || first.refused < tellingRefusals) return false;
  return later.answered === 0 ? othersAnswered : later.refused === 0;
}

function kindOf({ kinds }: ModelState, request: Json): KindSeen {
  const kind = requestKind(request);
  const seen = kinds.get(kind) ?? {
    ...{ first: { answered: 0, refused: 0 }, later: { answered: 0, refused: 0 } },
    othersAnswered: false,
    refusedAsSuch: false,
  };
  kinds.set(kind, seen);
  return seen;
}

const governors = ({ governor, target }: ModelState): readonly Governor[] => [governor, target.governor];

/** A refusal concerns the account when another of its models was refused as well at that time. */
function concernsAccount({ model, target }: ModelState, now: number): boolean {
  const { refusedAt } = target;
  refusedAt.set(model.key, now);
  return [...refusedAt].some(([key, at]) => key !== model.key && now - at < sameMoment);
}

/** Milliseconds for which the model should be left alone because a rate is used up. */
function pauseAsked(answer: Answer, now: number): number {
  if (isLoadStatus(answer.status)) return 1000 * (retryAfterOf(answer, now) ?? 0);
  const usedUp = Object.entries(answer.headers).some(
    ([name, value]) => /^(?:x-)?ratelimit-remaining/.test(name) && value.trim() === '0',
  );
  if (!usedUp) return 0;
  // The reset times of a good answer are read like those of the refusal that would come next.
  const pause = 1000 * (retryAfterOf({ ...answer, status: 429, body: [] }, now) ?? 0);
  return pause > longestPause ? 0 : pause;
}

/** @param wait milliseconds that the service asks for, more than {@link longestPause} */
export function stopForPause({ stopSwitch, model }: ModelState, wait: number): void {
  stopSwitch.stop({ kind: 'long_pause', answered_by: model.key, seconds: Math.round(wait / 1000) });
}

/** @param ms how long every request has been refused */
function stopForOutage({ stopSwitch, model }: ModelState, status: number | null, ms: number): void {
  stopSwitch.stop({ kind: 'overloaded', answered_by: model.key, status, seconds: Math.round(ms / 1000) });
}
