import type { StopReason } from '../../journal/stop.js';
import type { ModelState } from '../target-state.js';

/** Of a request that only shows whether an account has credit. */
export const billingStep = 'billing';

export interface SentRequest {
  readonly sentAt: number;
  /** A control: it asks for nothing that could cost more than the least. */
  readonly plain: boolean;
}

export function notePaid({ target }: ModelState, { sentAt }: SentRequest): void {
  target.billing.paidAt = Math.max(target.billing.paidAt, sentAt);
}

/**
 * A refusal for billing stops its model. It stops the account as well once a plain request to another model, sent
 * afterwards, meets the same, unless any model has been served since. Where no such request comes anyway, it has to be
 * sent: see `question`.
 * @param now milliseconds since the epoch
 */
export function noteUnpaid(state: ModelState, detail: string, { sentAt, plain }: SentRequest, now: number): void {
  const { stopSwitch, model, target } = state;
  const { refusals, paidAt } = target.billing;
  const stop: StopReason = { kind: 'quota', answered_by: model.key, detail };
  if (target.simulator) {
    // Each model of the embedded service is an account of its own.
    stopSwitch.stop(stop);
    return;
  }
  const other = refusals.find((one) => one.model !== model.key && one.at <= sentAt && one.at > paidAt);
  refusals.push({ model: model.key, detail, at: now });
  if (plain && other !== undefined) {
    for (const sharing of target.sharing.targets) {
      const { model: answered_by, detail: first } = other;
      sharing.stopSwitch.stop({ kind: 'quota', answered_by, detail: first, confirmed_by: model.key });
    }
  }
  stopSwitch.stop(stop);
  const asked = modelToAsk(state);
  if (asked === null) return;
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const close = (): void => {
    target.billing.question = null;
    answer();
  };
  target.billing.question = { other: asked, taken: false, answered, close };
}

/**
 * The model that a plain request should go to after a refusal of another one; null where none is needed: the account
 * has stopped, a model has been served since, another model's opening control comes anyway, or no other model is left.
 */
function modelToAsk(refused: ModelState): ModelState | null {
  const { billing, sharing } = refused.target;
  const others = sharing.models.filter(({ stopSwitch, opening }) => stopSwitch.reason() === null && opening !== 'none');
  const refusal = billing.refusals.find((one) => one.model === refused.model.key);
  if (refusal !== undefined && billing.paidAt > refusal.at) return null;
  if (billing.question !== null || others.some(({ opening }) => opening === 'waiting')) return null;
  return others[0] ?? null;
}
