import type { Report } from '../matrix/report-format.js';
import type { FindExchanges } from '../journal/find-exchanges.js';
import type { FailingTrial } from './gather/failing-trial.js';
import type { Redact } from './text/redact.js';

export const formats = ['json', 'md', 'junit', 'html', 'failures', 'terminal'] as const;
export type Format = (typeof formats)[number];

/** What a renderer may use beside the report. */
export interface RenderContext {
  readonly redact: Redact;
  /** Looks exchanges up in the journal. */
  readonly exchanges: FindExchanges;
  /** Every failing trial, for `failures`. */
  readonly failures: Iterable<FailingTrial> | AsyncIterable<FailingTrial>;
  /** The run folder as people should write it; null: the report stands alone. */
  readonly folder: string | null;
  readonly color: boolean;
  /** Of the terminal. */
  readonly columns: number;
}

/** Text of one format. Nothing is sent, nothing is written. */
export type Renderer = (report: Report, context: RenderContext) => Promise<string>;
