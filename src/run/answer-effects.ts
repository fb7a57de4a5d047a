import { createAccountDoubt } from './account-doubt.js';
import { askUntilAnswered, type AnswerWait } from './ask-until-answered.js';
import type { AnswerSeen, AskRequest } from './requester.js';
import { longestPause, longPause } from './retry-policy.js';
import type { ModelState } from './target-state.js';

type EffectOptions = AnswerWait & Parameters<typeof createAccountDoubt>[0];

/** Refusals in a row of a model that may be the account's; more are its own. */
const mostOfAccount = 4;

/** The effects of an answer on the requests after it: how fast they go, and whether they go at all. */
export function createAnswerEffects(options: EffectOptions): (seen: AnswerSeen, ask: AskRequest) => void {
  const doubt = createAccountDoubt(options);
  return (seen, ask) => {
    const { state, kind, answer } = seen;
    const { sign } = answer;
    const isAnswered = sign.kind === 'answered' || sign.kind === 'unpaid';
    slowDown(seen, isAnswered, options.clock.now());
    const pause = isAnswered ? 0 : (answer.retryAfter ?? 0);
    if (pause > longestPause) state.stopSwitch.stop(longPause(state.model, pause));
    if (kind === 'question') return;
    if (sign.kind === 'unpaid') doubt.noteUnpaid(state, sign.detail, ask);
    if (sign.kind === 'key') doubt.noteKeyRefused(state, sign.detail, ask);
    if (kind === 'cell' && state.breaker.note(isAnswered)) askWhileOpen(state, ask, options);
  };
}

/** Adjusts how much the model and its account are asked at once. */
function slowDown({ state, answer, sentAt }: AnswerSeen, isAnswered: boolean, now: number): void {
  const { limiter, target, breaker } = state;
  const isLoad = answer.sign.kind === 'load';
  if (target.simulator || !(isAnswered || isLoad)) return;
  limiter.answered(sentAt, now, isLoad);
  // Refusals of a model that answers nothing say nothing about the others.
  if (isAnswered || breaker.failuresInARow() < mostOfAccount) target.shared.limiter.answered(sentAt, now, isLoad);
}

function askWhileOpen(state: ModelState, ask: AskRequest, options: EffectOptions): void {
  const question = askUntilAnswered(state, ask, options)
    .catch(options.failed)
    .finally(() => {
      state.breaker.close();
      state.target.shared.scheduler.pump();
    });
  options.beside(question);
}
