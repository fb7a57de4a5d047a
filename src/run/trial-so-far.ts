import { retryAfterOf } from '../chat/errors/retry-after.js';
import { endOf, type Exchange } from '../chat/exchange.js';
import { isTemporary } from './limits/backoff.js';

/** What the next request of a trial depends on besides its body. */
export interface TrialSoFar {
  last: EarlierAnswer | null;
  /** When its requests failed that have not been answered since; milliseconds since the epoch. */
  failedAt: number[];
  /** After a 5xx that may call for a control: the place of its request, which the control takes. */
  place: Place | null;
  /** While its last answer is judged where that takes long. */
  judged: Promise<unknown> | null;
  /** Called when it does not, or no longer, wait for its turn: another trial may begin to. May be called again. */
  readonly underWay: () => void;
}

/** What the wait for the next request needs of an answer: many trials wait at once, and each answer may have megabytes. */
export interface EarlierAnswer {
  /** Milliseconds since the epoch. */
  readonly endedAt: number;
  /** Seconds; null: the service does not say. */
  readonly retryAfter: number | null;
  readonly isTemporary: boolean;
}

/** @param now milliseconds since the epoch */
export function earlierAnswer(exchange: Exchange, now: number): EarlierAnswer {
  const { answer } = exchange;
  return { endedAt: endOf(exchange), retryAfter: retryAfterOf(answer, now), isTemporary: isTemporary(answer) };
}

/** A place among the requests in flight that is kept for the next request of the same trial. */
export interface Place {
  /** The others no longer wait: that request is on its way. */
  readonly letOthersGo: () => void;
  /** It was answered, or is not sent. */
  readonly leave: () => void;
  readonly left: Promise<void>;
}

export function newTrial(underWay: () => void = () => undefined): TrialSoFar {
  return { last: null, failedAt: [], place: null, judged: null, underWay };
}

/** @param letOthersGo ends the precedence of the place */
export function keepPlace(letOthersGo: () => void): Place {
  let leave = (): void => undefined;
  const left = new Promise<void>((resolve) => (leave = resolve));
  return {
    letOthersGo,
    leave() {
      letOthersGo();
      leave();
    },
    left,
  };
}

/** Gives the place of a trial's last request to others, if it was kept for the next. */
export function leavePlace(soFar: TrialSoFar): void {
  soFar.place?.leave();
  soFar.place = null;
}
