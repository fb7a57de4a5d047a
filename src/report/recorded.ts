import type { Exchange } from '../chat/exchange.js';
import type { CellFailure } from '../matrix/report.js';
import type { Ask, Send } from '../plan/cell.js';
import type { ExchangeFacts } from './exchange-facts.js';

/** An exchange as the journal holds it. */
export interface RecordedExchange {
  readonly id: string;
  readonly model: string;
  /** null for a model's opening control. */
  readonly cell: string | null;
  readonly ask: Ask | null;
  readonly purpose: Send['purpose'];
  readonly step: string;
  readonly attempt: number;
  readonly served: string | null;
  readonly fingerprint: string | null;
  readonly exchange: Exchange;
}

/** Finds exchanges in the journal, in the order of the journal; ids that are not there are left out. */
export type FindExchanges = (ids: ReadonlySet<string>) => AsyncIterable<RecordedExchange>;

/** A trial that failed: a line of `failures.jsonl` in the making. */
export interface FailingTrial extends CellFailure {
  readonly cell: string;
  readonly ask: Ask;
  /** Of the exchange that failed: the journal need not be read again for them. */
  readonly facts: ExchangeFacts | null;
}
