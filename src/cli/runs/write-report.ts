import { join } from 'node:path';
import { makeReport, renderContext } from '../../assemble/make-report.js';
import type { Project } from '../../assemble/project.js';
import { readPreviousRun } from '../../report/history/read-history.js';
import { runParts } from '../../assemble/execute-plan.js';
import type { Config } from '../../config/config.js';
import { type Problem, UserError } from '../../files/problems/problem.js';
import { journalName } from '../../journal/journal.js';
import { type PreviousRun, recordedPrevious } from '../../journal/event.js';
import type { Report } from '../../matrix/report-format.js';
import type { ExitConditions } from '../../matrix/run-exit-code.js';
import { planAfter } from '../../plan/make-plan.js';
import type { Plan } from '../../plan/ticket.js';
import { diskSpool } from '../../report/gather/failure-spool.js';
import { type Gathering, openGathering } from '../../report/gather/gather.js';
import { type FileFormat, type RenderContext, renderReport } from '../../report/render.js';
import { reportFormats } from '../../report/report-formats.js';
import { writeRunFolder } from '../../report/run-folder.js';
import { replay } from '../../run/drive.js';
import { checkNames, displayPath, historyBefore, asUnwritableError, writableFolder } from '../folders/folders.js';
import { recordedRunStart } from '../options/recorded-options.js';
import { type Io, printProblems } from '../terminal/io.js';
import type { Options } from '../options/options.js';

interface ReportToWrite {
  readonly plan: Plan;
  readonly project: Project;
  readonly gathering: Gathering;
  /** Where the files go. */
  readonly folder: string;
  /** Where the journal is, when it is in another folder. */
  readonly journalFolder?: string;
  readonly formats: readonly FileFormat[];
  /** What the run before showed and knew; null when that is not known. */
  readonly previous: PreviousRun | null;
  /** Decides the exit code, which the report explains. */
  readonly exit: ExitConditions;
  /** `--history` among them. */
  readonly options?: Options;
}

interface WrittenReport {
  readonly report: Report;
  readonly context: RenderContext;
}

/** Makes the report of what was gathered, and writes the files of its folder. */
export async function writeReport(
  { plan, project, gathering, folder, journalFolder = folder, formats, previous, exit, options = {} }: ReportToWrite,
  io: Io,
): Promise<WrittenReport> {
  const report = await makeReport({ plan, project, gathering, previous });
  const history = await historyBefore(folder, report.run.started_at, options, io);
  const context = renderContext({
    redact: project.config.redact,
    keys: project.keys,
    journalFolder,
    failures: gathering.failures.all(),
    folder: displayPath(folder, io),
    color: io.color,
    columns: io.columns,
    exit,
    history,
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

/**
 * Judges what a journal holds by this plan, sending nothing, and writes the files of the report.
 * @param source where the journal is
 */
export async function rejudgeRun(
  source: string,
  { plan, project, folder, formats, exit }: Pick<ReportToWrite, 'plan' | 'project' | 'folder' | 'formats' | 'exit'>,
  io: Io,
): Promise<WrittenReport> {
  const { targets } = project.config;
  await checkNames(folder, formats);
  const gathering = openGathering(diskSpool(() => folder));
  try {
    const previous = recordedPrevious(await recordedRunStart(source));
    const asked = planAfter(plan, previous);
    const events = replay(join(source, journalName), { ...runParts(asked, targets), plan: asked, targets });
    for await (const event of events) gathering.onEvent(event);
    // Only now, so that a journal that cannot be read leaves no empty folder behind.
    await writableFolder(folder);
    return await writeReport({ plan, project, gathering, folder, journalFolder: source, formats, previous, exit }, io);
  } catch (error) {
    throw asUnwritableError(error, folder);
  }
}

/** What the newest run before the one in `folder` showed and knew. Warns of a report that cannot be read. */
export function previousRun(config: Config, folder: string, io: Io): Promise<PreviousRun | null> {
  return readPreviousRun(config, folder, (error) => {
    printProblems(unreadableReport(error, 'this run begins without what that one knew'), io);
  });
}

/** A report that cannot be read as a warning, with what is done without it. Throws any other error on. */
export function unreadableReport(error: unknown, instead: string): readonly Problem[] {
  if (!(error instanceof UserError)) throw error;
  return error.problems.map(({ message }) => ({
    severity: 'warning',
    place: null,
    message: `${message}; ${instead}`,
  }));
}
