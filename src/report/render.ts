import type { Report } from '../matrix/report-format.js';
import type { FindExchanges } from '../journal/find-exchanges.js';
import type { FailingTrial } from './gather/failure-spool.js';
import type { Redact } from './safe/redact.js';

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

/** The text of a report, whole or in pieces. Nothing is sent, nothing is written. */
export type Renderer = (report: Report, context: RenderContext) => Promise<string> | AsyncIterable<string>;

/** One form of a report. A program that embeds chatspec can write its own beside those of {@link reportFormats}. */
export interface ReportFormat {
  /** As `--format` takes it. */
  readonly name: string;
  /** The name of its file in the run folder; null for a format that is only printed. */
  readonly file: string | null;
  readonly render: Renderer;
}

/** A format that has a file in the run folder. */
export interface FileFormat extends ReportFormat {
  readonly file: string;
}
