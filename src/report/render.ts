import type { FindExchanges } from '../journal/journal.js';
import type { Report } from '../matrix/report-format.js';
import type { ExitConditions } from '../matrix/run-exit-code.js';
import type { FailingTrial } from './gather/failure-spool.js';
import type { RunSummary } from '../matrix/run-summary.js';
import type { Redact } from './safe/redact.js';

/** Earlier runs, the oldest first. */
export interface History {
  /** The folder that holds the run folders. */
  readonly from: string;
  /** The way to that folder from the run that is shown, as an address; absent: `../`. */
  readonly pages?: string;
  readonly runs: readonly PastRun[];
  /** Names of folders that look like runs but could not be read. */
  readonly unreadable: readonly string[];
}

export interface PastRun extends RunSummary {
  /** Folder of the run, seen from the folder that holds the run folders. */
  readonly folder: string;
  /** Page of the run, seen from the folder that holds the run folders; null: it has none any more. */
  readonly page: string | null;
}

/** The folder of an earlier run. */
export interface EarlierRun {
  /** Rejects where there is no report that can be read. */
  readonly report: () => Promise<Report>;
  readonly exchanges: FindExchanges;
}

/** Material for a renderer besides the report. */
export interface RenderContext {
  readonly redact: Redact;
  /** Looks exchanges up in the journal. */
  readonly exchanges: FindExchanges;
  /** By cell: the milliseconds of its requests together; absent: the journal says them. */
  readonly cellTimes?: ReadonlyMap<string, number>;
  /** Reads another run folder; absent: none is read. */
  readonly earlier?: (folder: string) => EarlierRun;
  /** Every failing trial, for `failures`. */
  readonly failures: Iterable<FailingTrial> | AsyncIterable<FailingTrial>;
  /** The run folder as people would write it; null if there is none. */
  readonly folder: string | null;
  readonly color: boolean;
  /** Under which conditions the run ended; absent: not known, as when a report is rendered again. */
  readonly exit?: ExitConditions;
  /** Earlier runs; absent or null: none are known. */
  readonly history?: History | null;
  /** Facts of the run folder, when a report is rendered again: it knows how the run ended. */
  readonly summary?: RunSummary | null;
  /** Where the pages of other runs stand, seen from this one; absent: beside its folder. */
  readonly pages?: string;
  /** Whether the page is the front of a site, beside its data and its feed; absent: no. */
  readonly isSite?: boolean;
  /** The width of the terminal. */
  readonly columns: number;
  /** How much a terminal shows; absent: `usual`. */
  readonly detail?: 'quiet' | 'usual' | 'verbose';
}

/** Returns the text of a report, whole or in pieces. Sends and writes nothing. */
export type Renderer = (report: Report, context: RenderContext) => Promise<string> | AsyncIterable<string>;

/** One form of a report. A program that embeds chatspec can add its own to those of {@link reportFormats}. */
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

/** The whole text of a report in one format. */
export async function renderReport(format: ReportFormat, report: Report, context: RenderContext): Promise<string> {
  const rendered = format.render(report, context);
  if (!(Symbol.asyncIterator in rendered)) return rendered;
  const pieces: string[] = [];
  for await (const piece of rendered) pieces.push(piece);
  return pieces.join('');
}
