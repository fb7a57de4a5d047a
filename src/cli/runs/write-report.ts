import { join } from 'node:path';
import { runParts } from '../../assemble/execute-plan.js';
import { type ProjectRun, type RunToWrite, writeRun } from '../../assemble/run-project.js';
import type { Config } from '../../config/config.js';
import { type Problem, UserError } from '../../files/problems/problem.js';
import { type PreviousRun, recordedPrevious } from '../../journal/event.js';
import { journalName } from '../../journal/journal.js';
import type { Report } from '../../matrix/report-format.js';
import { planAfter } from '../../plan/make-plan.js';
import { diskSpool } from '../../report/gather/failure-spool.js';
import { openGathering } from '../../report/gather/gather.js';
import { latestFolder, olderLatest, readPreviousRun } from '../../report/history/read-history.js';
import { renderReport } from '../../report/render.js';
import { reportFormats } from '../../report/report-formats.js';
import { replay } from '../../run/drive.js';
import { checkNames, writableFolder } from '../folders/folders.js';
import { asUnwritableError } from '../../files/write-whole.js';
import type { Options } from '../options/options.js';
import { recordedRunStart } from '../options/recorded-options.js';
import { type Io, printProblems, displayPath } from '../terminal/io.js';

/** How a report is shown on this terminal, and what it calls its folder. */
export function shownHere(folder: string, io: Io): NonNullable<RunToWrite['render']> {
  return { folder: displayPath(folder, io), color: io.color, columns: io.columns };
}

/** Prints the report for the terminal, or with `--json` as JSON. */
export async function printReport(
  { report, context }: Pick<ProjectRun, 'report' | 'context'>,
  options: Options,
  io: Io,
): Promise<void> {
  const format = options['json'] === true ? reportFormats.json : reportFormats.terminal;
  io.out(await renderReport(format, report, { ...context, detail: verbosityOf(options) }));
}

export function verbosityOf({ quiet, verbose }: Options): 'quiet' | 'verbose' | 'usual' {
  if (quiet === true) return 'quiet';
  return verbose === true ? 'verbose' : 'usual';
}

/**
 * Judges what a journal holds by this plan, sending nothing, and writes the files of the report.
 * @param source where the journal is
 */
export async function rejudgeRun(
  source: string,
  { plan, project, folder, formats, exit }: Pick<RunToWrite, 'plan' | 'project' | 'folder' | 'formats' | 'exit'>,
  io: Io,
): Promise<Pick<ProjectRun, 'report' | 'context'>> {
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
    const render = shownHere(folder, io);
    return await writeRun({ plan, project, gathering, folder, journalFolder: source, formats, previous, exit, render });
  } catch (error) {
    throw asUnwritableError(error, folder);
  }
}

/** The newest run before the one in `folder`. Warns of a report that cannot be read. */
export function previousRun(config: Config, folder: string, io: Io): Promise<PreviousRun | null> {
  return readPreviousRun(config, folder, (error) => printWithoutPrevious(error, io));
}

/** Warns where `reports/latest` could not be moved to a run that has ended, and still shows an older one. */
export async function printOlderLatest(config: Config, folder: string, report: Report, io: Io): Promise<void> {
  const is = await olderLatest(config, folder, report.run.started_at);
  if (is === null) return;
  const latest = displayPath(latestFolder(config), io);
  const why = is === 'folder' ? 'is a folder and no link' : 'could not be moved';
  const message = `${latest} ${why}, so it does not show this run, which is in ${displayPath(folder, io)}`;
  const hint = `rename or remove ${latest}: the next run makes the link again`;
  printProblems([{ severity: 'warning', place: null, message, hint }], io);
}

/** Warns that the report of the run before cannot be read. */
export function printWithoutPrevious(error: UserError, io: Io): void {
  printProblems(unreadableReport(error, 'this run begins without what that one knew'), io);
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
