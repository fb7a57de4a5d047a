import type { BreakerOptions } from './circuit-breaker.js';
import { nextControl } from './controls.js';
import { newTrial, type Requester } from './request-result.js';
import type { ModelState } from './target-state.js';

/**
 * A refusal for billing stops its model. Whether it concerns the whole account is asked of another one, with a plain
 * request.
 */
export function noteUnpaid(
  state: ModelState,
  detail: string,
  ask: Requester['ask'],
  { controlBody, failed }: Pick<BreakerOptions, 'controlBody' | 'failed'>,
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
  void askOthers()
    .catch(failed)
    .finally(() => (shared.isInDoubt = false));
}
