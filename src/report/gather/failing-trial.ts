import type { CellFailure } from '../../matrix/report-format.js';
import type { Ask } from '../../plan/ticket.js';
import type { ExchangeFacts } from '../evidence/exchange-facts.js';

/** A trial that failed: a line of `failures.jsonl` in the making. */
export interface FailingTrial extends CellFailure {
  readonly cell: string;
  readonly ask: Ask;
  /** Of the exchange that failed: the journal need not be read again for them. */
  readonly facts: ExchangeFacts | null;
}
