import type { StopReason } from '../journal/event.js';
import { nextControl, type ControlBody } from './control-request.js';
import type { AskRequest } from './requester.js';
import type { Account, ModelState } from './target-state.js';
import { createTrialHistory } from './trial-history.js';

interface DoubtOptions {
  readonly controlBody: ControlBody;
  /** Ends the run, as when its journal cannot be written. */
  readonly failed: (error: unknown) => void;
  /** Questions beside the trials, which the run waits for before it ends. */
  readonly beside: (question: Promise<void>) => void;
}

/** Finds out whether a refusal of one model concerns all that its account may ask. */
export interface AccountDoubt {
  /**
   * A key that had worked is refused: where a plain request meets the same, and one to another model that had answered,
   * nothing more is asked with it. Where the other is answered, only this model is refused.
   */
  readonly noteKeyRefused: (state: ModelState, detail: string, ask: AskRequest) => void;
  /**
   * A refusal for billing stops its model. Whether it concerns the whole account is asked of another one, with a plain
   * request.
   */
  readonly noteUnpaid: (state: ModelState, detail: string, ask: AskRequest) => void;
}

export function createAccountDoubt({ controlBody, failed, beside }: DoubtOptions): AccountDoubt {
  /** Accounts of which something is being asked. */
  const inDoubt = new Set<Account>();

  /** One question at a time, beside the trials. Each model of the embedded service is its own account. */
  const askOfAccount = ({ target }: ModelState, find: () => Promise<void>): void => {
    const { shared, simulator } = target;
    if (simulator || inDoubt.has(shared)) return;
    inDoubt.add(shared);
    const question = find()
      .catch(failed)
      .finally(() => void inDoubt.delete(shared));
    beside(question);
  };

  /** The sign of a plain request; null: nothing was sent. */
  const signOfPlain = async (state: ModelState, ask: AskRequest) => {
    const trial = createTrialHistory('question');
    await ask(state, nextControl(state, controlBody), trial);
    return trial.last()?.sign.kind ?? null;
  };

  return {
    noteKeyRefused(state, detail, ask) {
      if (state.answers.count() === 0) return;
      const isRefused = async (one: ModelState): Promise<boolean> => (await signOfPlain(one, ask)) === 'key';
      askOfAccount(state, async () => {
        if (!(await isRefused(state))) return;
        const reason = keyRefusedReason(state, detail);
        const other = state.target.shared.models.find(
          (one) => one !== state && one.stopSwitch.reason() === null && one.answers.count() > 0,
        );
        if (other === undefined || (await isRefused(other))) {
          stopAccount(state, reason);
        } else {
          state.stopSwitch.stop(reason);
        }
      });
    },
    noteUnpaid(state, detail, ask) {
      const reason = { kind: 'quota', answered_by: state.model.key, detail } as const;
      state.stopSwitch.stop(reason);
      askOfAccount(state, async () => {
        for (;;) {
          const other = state.target.shared.models.find((one) => one.stopSwitch.reason() === null);
          if (other === undefined) return;
          const sign = await signOfPlain(other, ask);
          if (sign === null) continue;
          if (sign !== 'unpaid') return;
          stopAccount(state, { ...reason, confirmed_by: other.model.key });
        }
      });
    },
  };
}

function keyRefusedReason({ target, model }: ModelState, detail: string): StopReason {
  const { models } = target.shared;
  const lastAt = models.reduce((last, { answers }) => Math.max(last, answers.lastAt()), 0);
  const answered = models.reduce((sum, { answers }) => sum + answers.count(), 0);
  return { kind: 'key_refused', answered_by: model.key, detail, since: new Date(lastAt).toISOString(), answered };
}

function stopAccount({ target }: ModelState, reason: StopReason): void {
  for (const one of target.shared.targets) one.stopSwitch.stop(reason);
}
