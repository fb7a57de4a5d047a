import { makeReport, renderContext } from '../../assemble/make-report.js';
import type { Project } from '../../assemble/project.js';
import type { PreviousRun } from '../../journal/previous-run.js';
import type { Report } from '../../matrix/report-format.js';
import type { ExitConditions } from '../../matrix/run-exit-code.js';
import type { Plan } from '../../plan/ticket.js';
import type { Gathering } from '../../report/gather/gather.js';
import type { FileFormat, RenderContext } from '../../report/render.js';
import { renderReport } from '../../report/render-report.js';
import { reportFormats } from '../../report/report-formats.js';
import { writeRunFolder } from '../../report/run-folder.js';
import { displayPath } from '../folders/folders.js';
import { historyOf } from '../folders/history-of.js';
import type { Io } from '../terminal/io.js';
import type { Options } from '../verb.js';
import { deviationsOf } from '../../matrix/standing/deviations.js';

export interface ReportToWrite {
  readonly plan: Plan;
  readonly project: Project;
  readonly gathering: Gathering;
  /** Where the files go. */
  readonly folder: string;
  /** Where the journal is, when it is in another folder. */
  readonly journalFolder?: string;
  /** undefined: all. */
  readonly formats: readonly FileFormat[] | undefined;
  /** What the run before showed and knew; null when that is not known. */
  readonly previous: PreviousRun | null;
  /** Decides the exit code, which the report explains. */
  readonly exit: ExitConditions;
  /** `--history` among them. */
  readonly options?: Options;
}

export interface WrittenReport {
  readonly report: Report;
  readonly context: RenderContext;
}

/** Makes the report of what was gathered, and writes the files of its folder. */
export async function writeReport(
  { plan, project, gathering, folder, journalFolder = folder, formats, previous, exit, options = {} }: ReportToWrite,
  io: Io,
): Promise<WrittenReport> {
  const report = await makeReport({ plan, project, gathering, previous });
  // Every format says since when something deviates.
  const shown = formats === undefined || formats.includes(reportFormats.html) || deviationsOf(report).length > 0;
  const history = await historyOf({ folder, started: report.run.started_at, shown }, options, io);
  const context = renderContext({
    ...{ redact: project.config.redact, keys: project.keys, journalFolder, failures: gathering.failures.all() },
    ...{ folder: displayPath(folder, io), color: io.color, columns: io.columns, exit, history },
  });
  try {
    await writeRunFolder(folder, report, context, formats);
  } finally {
    gathering.failures.close();
  }
  return { report, context };
}

/** Prints the report for the terminal, or with `--json` as JSON. */
export async function printReport({ report, context }: WrittenReport, options: Options, io: Io): Promise<void> {
  const format = options['json'] === true ? reportFormats.json : reportFormats.terminal;
  const detail = options['quiet'] === true ? 'quiet' : options['verbose'] === true ? 'verbose' : 'usual';
  io.out(await renderReport(format, report, { ...context, detail }));
}
