import { mostPromptTokensIn, promptTokensIn } from '../../chat/counted-tokens.js';
import type { RequestSent } from '../../journal/event.js';
import { requestName, type RunRequest } from '../../journal/recorded-exchanges.js';
import type { Clock } from '../clock.js';
import { interrupted, missing, type NotRequested } from '../request-result.js';
import type { ModelState } from '../target-state.js';
import type { BudgetLedger, Reservation } from './budget-ledger.js';
import type { Admission } from './rate-window.js';
import type { StopSwitch } from './stop-switch.js';
import type { Spending } from './token-estimator.js';

/** What one request may take of every limit, until it is settled, cut off or given back: whichever comes first counts. */
export interface Permit {
  readonly kind: 'permit';
  /** The request has left this process. */
  sent(): void;
  /** It was answered, and took this. */
  settle(spent: Spending): void;
  /** It was cut off: the service may bill it all the same. */
  cutOff(): void;
  /** It could not be sent. */
  giveBack(): void;
}

export interface PermitOptions {
  readonly clock: Clock;
  readonly ledger: BudgetLedger;
  /** Of the whole run; a used-up budget stops it. */
  readonly run: StopSwitch;
  /** Writes down that a request is about to be sent, so that a kill cannot hide it; null: no limit counts it. */
  readonly announce: ((line: RequestSent) => Promise<void>) | null;
}

/**
 * Waits until the budget and the limits per minute let a request go.
 * @param goesFirst it has the place of an earlier request
 * @returns null: another request goes first
 */
export type AskPermit = (
  state: ModelState,
  request: RunRequest,
  goesFirst: boolean,
) => Promise<Permit | NotRequested | null>;

export function createPermits({ clock, ledger, run, announce }: PermitOptions): AskPermit {
  const announced = async (
    { target, stopSwitch }: ModelState,
    line: RequestSent,
    goesFirst: boolean,
    write: (line: RequestSent) => Promise<void>,
  ): Promise<NotRequested | null> => {
    await write(line);
    // While it was written down, another request may have got precedence, or a stop may have come.
    if (!goesFirst) await target.precedence.wait();
    const late = stopSwitch.reason();
    return late === null ? null : missing(late);
  };

  return async (state, request, goesFirst) => {
    const { target, stopSwitch } = state;
    const { body } = request.send;
    const most = state.estimator.most(body);
    const reservation = await ledger.reserve(most);
    if (reservation.kind === 'budget') {
      run.stop(reservation);
      return missing(stopSwitch.reason() ?? reservation);
    }
    // A budget is for the whole run, where what few bodies take beyond the estimate is made up for. A minute is short.
    const inMinute = most.tokens - promptTokensIn(body) + mostPromptTokensIn(body);
    const admission = await target.window.admit(inMinute, stopSwitch.signal, goesFirst);
    const stop = stopSwitch.reason();
    if (admission === null || stop !== null) {
      admission?.release();
      reservation.release();
      return missing(stop ?? interrupted);
    }
    const isLate = !goesFirst && target.precedence.wait() !== null;
    let refused: NotRequested | null = null;
    if (!isLate && announce !== null) {
      const at = new Date(clock.now()).toISOString();
      const line = { type: 'sent', at, model: request.model, request: requestName(request), ...most } as const;
      refused = await announced(state, line, goesFirst, announce);
    }
    if (!isLate && refused === null) return permitOf(reservation, admission, most, inMinute);
    admission.release();
    reservation.release();
    return refused;
  };
}

function permitOf(reservation: Reservation, admission: Admission, most: Spending, inMinute: number): Permit {
  let isOpen = true;
  const end = (tokens: number, spent: Spending | null): void => {
    if (!isOpen) return;
    isOpen = false;
    if (spent === null) reservation.release();
    else reservation.settle(spent);
    admission.settle(tokens);
  };
  return {
    kind: 'permit',
    sent: () => admission.sent(),
    settle: (spent) => end(spent.tokens, spent),
    cutOff: () => end(inMinute, { ...most, unreported: most }),
    giveBack: () => end(inMinute, null),
  };
}
