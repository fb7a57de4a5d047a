import type { StopReason } from '../journal/event.js';
import { type BreakerOptions, nextControl } from './circuit-breaker.js';
import { newTrial, type Requester } from './retry-policy.js';
import type { ModelState } from './target-state.js';

type DoubtOptions = Pick<BreakerOptions, 'controlBody' | 'failed' | 'beside'> & { readonly ask: Requester['ask'] };

/**
 * A key that had worked is refused: where a plain request meets the same, and one to another model that had answered,
 * nothing more is asked with it. Where the other is answered, only this model is refused.
 */
export function noteKeyRefused(state: ModelState, detail: string, options: DoubtOptions): void {
  const { shared } = state.target;
  if (state.answers.count === 0) return;
  const isRefused = async (one: ModelState): Promise<boolean> => (await signOfPlain(one, options)) === 'key';
  askOfAccount(state, options, async () => {
    if (!(await isRefused(state))) return;
    const last = shared.models.reduce((at, { answers }) => Math.max(at, answers.lastAt), 0);
    const since = new Date(last).toISOString();
    const answered = shared.models.reduce((sum, { answers }) => sum + answers.count, 0);
    const reason = { kind: 'key_refused', answered_by: state.model.key, detail, since, answered } as const;
    const other = shared.models.find(
      (one) => one !== state && one.stopSwitch.reason() === null && one.answers.count > 0,
    );
    if (other === undefined || (await isRefused(other))) {
      stopAccount(state, reason);
    } else {
      state.stopSwitch.stop(reason);
    }
  });
}

/**
 * A refusal for billing stops its model. Whether it concerns the whole account is asked of another one, with a plain
 * request.
 */
export function noteUnpaid(state: ModelState, detail: string, options: DoubtOptions): void {
  const reason = { kind: 'quota', answered_by: state.model.key, detail } as const;
  state.stopSwitch.stop(reason);
  askOfAccount(state, options, async () => {
    for (;;) {
      const other = state.target.shared.models.find((one) => one.stopSwitch.reason() === null);
      if (other === undefined) return;
      const sign = await signOfPlain(other, options);
      if (sign === null) continue;
      if (sign !== 'unpaid') return;
      stopAccount(state, { ...reason, confirmed_by: other.model.key });
    }
  });
}

/** One question about an account at a time, beside the trials. Each model of the embedded service is its own account. */
function askOfAccount({ target }: ModelState, { failed, beside }: DoubtOptions, find: () => Promise<void>): void {
  const { shared, simulator } = target;
  if (simulator || shared.isInDoubt) return;
  shared.isInDoubt = true;
  beside(
    find()
      .catch(failed)
      .finally(() => (shared.isInDoubt = false)),
  );
}

/** What a plain request shows; null: nothing was sent. */
async function signOfPlain(state: ModelState, { ask, controlBody }: DoubtOptions) {
  const trial = newTrial('question');
  await ask(state, nextControl(state, controlBody), trial);
  return trial.last?.sign.kind ?? null;
}

function stopAccount({ target }: ModelState, reason: StopReason): void {
  for (const one of target.shared.targets) one.stopSwitch.stop(reason);
}
