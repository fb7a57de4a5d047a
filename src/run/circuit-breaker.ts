import type { Clock } from './clock.js';
import { nextControl, type ControlOptions } from './controls.js';
import { newTrial, type Requester } from './retry-policy.js';
import type { ModelState } from './target-state.js';

/** Requests of a model in a row that are refused or not answered, which make it doubtful that it answers at all. */
const tellingRow = 10;
/** Times the first wait before a repetition: for two minutes, a model that has answered before is asked again. */
const patience = 240;

export interface BreakerOptions extends ControlOptions {
  readonly clock: Clock;
  /** Ends the run, as when its journal cannot be written. */
  readonly failed: (error: unknown) => void;
  /** Questions beside the trials, which the run waits for before it ends. */
  readonly beside: (question: Promise<void>) => void;
}

/** Counts an answer, and opens the breaker where it was one too many without a good one. */
export function noteAnswered(
  state: ModelState,
  isAnswered: boolean,
  ask: Requester['ask'],
  options: BreakerOptions,
): void {
  const { breaker, target } = state;
  breaker.inARow = isAnswered ? 0 : breaker.inARow + 1;
  if (breaker.inARow < tellingRow || breaker.isOpen) return;
  breaker.isOpen = true;
  const question = askUntilAnswered(state, ask, options)
    .catch(options.failed)
    .finally(() => {
      breaker.inARow = 0;
      breaker.isOpen = false;
      target.shared.scheduler.pump();
    });
  options.beside(question);
}

/**
 * Asks a plain question while the model's other requests are held back. Where its repetitions are not answered, either,
 * the model is left until all others are done, and given up if it is still silent then.
 */
async function askUntilAnswered(state: ModelState, ask: Requester['ask'], options: BreakerOptions): Promise<void> {
  const { clock, controlBody, judgeControl, leaveAlone } = options;
  const { target, model, stopSwitch } = state;
  const { retries } = target.config.limits;
  const trial = newTrial('question');
  let leftAt = Infinity;
  for (let attempt = 0; ; attempt += 1) {
    const result = await ask(state, nextControl(state, controlBody), trial);
    if (result.kind === 'missing' || trial.last?.sign.kind === 'answered') break;
    if (state.breaker.isOver) break;
    const outcome = judgeControl(result.exchange);
    if (attempt > retries && clock.now() - leftAt >= patience * target.firstBackoff) {
      const { class: kind, reason, status, detail } = outcome;
      stopSwitch.stop({ kind: 'unanswered', answered_by: model.key, class: kind, reason, status, detail });
      break;
    }
    if (attempt !== retries) continue;
    leftAt = clock.now();
    await leaveAlone(state, outcome);
  }
}

/**
 * A refusal for billing stops its model. Whether it concerns the whole account is asked of another one, with a plain
 * request.
 */
export function noteUnpaid(
  state: ModelState,
  detail: string,
  ask: Requester['ask'],
  { controlBody, failed, beside }: Pick<BreakerOptions, 'controlBody' | 'failed' | 'beside'>,
): void {
  const { stopSwitch, model, target } = state;
  stopSwitch.stop({ kind: 'quota', answered_by: model.key, detail });
  // Each model of the embedded service is an account of its own.
  if (target.simulator || target.shared.isInDoubt) return;
  const { shared } = target;
  shared.isInDoubt = true;
  const askOthers = async (): Promise<void> => {
    for (;;) {
      const other = shared.models.find((one) => one.stopSwitch.reason() === null);
      if (other === undefined) return;
      const trial = newTrial('question');
      await ask(other, nextControl(other, controlBody), trial);
      if (trial.last === null) continue;
      if (trial.last.sign.kind !== 'unpaid') return;
      const reason = { kind: 'quota', answered_by: model.key, detail, confirmed_by: other.model.key } as const;
      for (const one of shared.targets) one.stopSwitch.stop(reason);
    }
  };
  const question = askOthers()
    .catch(failed)
    .finally(() => (shared.isInDoubt = false));
  beside(question);
}
