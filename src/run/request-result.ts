import type { Exchange } from '../chat/exchange.js';
import type { StopReason } from '../journal/stop.js';

/** What came of a request: an exchange, or nothing because nothing more is sent. */
export type RequestResult =
  | {
      readonly kind: 'exchange';
      readonly id: string;
      readonly exchange: Exchange;
      /** Sent just now, not taken from a journal. */
      readonly live: boolean;
    }
  | NotRequested;

export interface NotRequested {
  readonly kind: 'missing';
  readonly stop: StopReason;
}

export type RecordedResult = Extract<RequestResult, { kind: 'exchange' }>;

export const interrupted: StopReason = { kind: 'interrupted' };

export const missing = (stop: StopReason): NotRequested => ({ kind: 'missing', stop });
