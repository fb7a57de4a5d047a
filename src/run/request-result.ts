import type { Exchange } from '../chat/exchange.js';
import type { RunRequest } from '../journal/recorded-exchanges.js';
import type { StopReason } from '../journal/stop.js';
import type { TrialSoFar } from './retry-policy.js';
import type { ModelState } from './target-state.js';

/** What came of a request: an exchange, or nothing because nothing more is sent. */
export type RequestResult = AskedResult | NotRequested;

export interface AskedResult {
  readonly kind: 'exchange';
  readonly id: string;
  readonly exchange: Exchange;
  /** Sent just now, not taken from a journal. */
  readonly live: boolean;
}

export interface NotRequested {
  readonly kind: 'missing';
  readonly stop: StopReason;
}

export interface Requester {
  /**
   * Looks a request up in the journal, or sends it: after a fault when it may be repeated, and then in its turn.
   * @param trial its trial, which learns what came of it
   */
  readonly ask: (state: ModelState, request: RunRequest, trial: TrialSoFar) => Promise<RequestResult>;
  /** Only looks it up; null where it is not recorded. */
  readonly lookUp: (state: ModelState, request: RunRequest, trial: TrialSoFar) => Promise<AskedResult | null>;
}
