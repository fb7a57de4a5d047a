import type { Exchange } from '../chat/exchange.js';
import type { RunRequest } from '../journal/recorded-exchanges.js';
import type { StopReason } from '../journal/stop.js';
import type { EarlierAnswer } from './retry-policy.js';
import type { ModelState } from './target-state.js';

/** What came of a request: an exchange, or nothing because nothing more is sent. */
export type RequestResult = AskedResult | NotRequested;

export interface AskedResult {
  readonly kind: 'exchange';
  readonly id: string;
  readonly exchange: Exchange;
}

export interface NotRequested {
  readonly kind: 'missing';
  readonly stop: StopReason;
}

/** What the next request of a trial, or of a row of plain requests, depends on. */
export interface TrialSoFar {
  /** To open a model is part of the usual load; a question shows whether there is an outage, and goes first. */
  readonly kind: 'cell' | 'opening' | 'question';
  last: EarlierAnswer | null;
  /** Faults since the last answer. */
  faults: number;
  /** Called when its first request goes: another trial may begin. */
  readonly underWay: () => void;
}

export const newTrial = (kind: TrialSoFar['kind'], underWay: () => void = () => undefined): TrialSoFar => ({
  ...{ kind, last: null, faults: 0, underWay },
});

export interface Requester {
  /**
   * Looks a request up in the journal, or sends it: after a fault when it may be repeated, and then in its turn.
   * @param trial its trial, which learns what came of it
   */
  readonly ask: (state: ModelState, request: RunRequest, trial: TrialSoFar) => Promise<RequestResult>;
  /** Only looks it up; null where it is not recorded. */
  readonly lookUp: (state: ModelState, request: RunRequest, trial: TrialSoFar) => Promise<AskedResult | null>;
}
