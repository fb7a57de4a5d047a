import type { Exchange } from '../chat/exchange.js';
import type { Outcome } from '../judge/outcome.js';
import type { Clock } from './clock.js';
import { nextControl, type ControlBody } from './control-request.js';
import type { AskRequest } from './requester.js';
import type { ModelState } from './target-state.js';
import { createTrialHistory } from './trial-history.js';

/**
 * How long a model that has answered before is asked again, in first waits before a repetition: ten seconds, or a tenth
 * of the run so far; two minutes where it meets load and no other model of the account is answered, either: a limit of
 * a minute passes.
 */
const patience = { ofModel: 20, ofAccount: 240, shareOfRun: 0.1 } as const;

export interface ControlOptions {
  readonly controlBody: ControlBody;
  readonly judgeControl: (exchange: Exchange) => Outcome;
  /** Leaves a model alone until all others are done. */
  readonly leaveAlone: (state: ModelState, outcome: Outcome) => Promise<void>;
}

export interface AnswerWait extends ControlOptions {
  readonly clock: Clock;
  /** When the run began, in milliseconds since the epoch. */
  readonly startedAt: number;
}

/**
 * Asks a plain question while the model's other requests are held back. Where its repetitions are not answered, either,
 * the model is left until all others are done, and given up if it is still silent then.
 */
export async function askUntilAnswered(state: ModelState, ask: AskRequest, options: AnswerWait): Promise<void> {
  const { clock, controlBody, judgeControl, leaveAlone } = options;
  const { answers } = state;
  const { retries } = state.target.config.limits;
  const trial = createTrialHistory('question');
  const askedAt = clock.now();
  let isLeft = false;
  for (let attempt = 0; ; attempt += 1) {
    const result = await ask(state, nextControl(state, controlBody), trial);
    const sign = trial.last()?.sign.kind;
    if (result.kind === 'missing' || sign === 'answered' || state.breaker.isRetired()) return;
    const outcome = judgeControl(result.exchange);
    const isLoad = sign === 'load' && !othersAnswered(state, askedAt);
    const givenUpAt = askedAt + patienceWith(state, clock.now() - options.startedAt, isLoad);
    if (isLeft && clock.now() >= givenUpAt) {
      giveUp(state, outcome);
      return;
    }
    if (isLeft || answers.count() > 0) trial.waitUntilAtMost(givenUpAt);
    if (isLeft || attempt < retries) continue;
    isLeft = true;
    await leaveAlone(state, outcome);
  }
}

/** Milliseconds from the first question, given how long the run has taken so far. */
function patienceWith({ target, answers }: ModelState, elapsed: number, isLoad: boolean): number {
  if (answers.count() === 0) return 0;
  const least = isLoad ? patience.ofAccount : patience.ofModel;
  return Math.max(least * target.firstBackoff, elapsed * patience.shareOfRun);
}

function othersAnswered(state: ModelState, since: number): boolean {
  return state.target.shared.models.some((one) => one !== state && one.answers.lastAt() > since);
}

function giveUp({ model, stopSwitch, answers }: ModelState, outcome: Outcome): void {
  const { class: kind, reason, status, detail } = outcome;
  const answered = answers.count();
  const since = answered === 0 ? null : new Date(answers.lastAt()).toISOString();
  const why = { class: kind, reason, status, detail } as const;
  stopSwitch.stop({ kind: 'unanswered', answered_by: model.key, ...why, since, answered });
}
