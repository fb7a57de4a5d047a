import { join } from 'node:path';
import type { Project } from '../../assemble/project.js';
import { runParts } from '../../assemble/run-parts.js';
import { journalName } from '../../journal/journal.js';
import { recordedPrevious } from '../../journal/previous-run.js';
import { planAfter } from '../../plan/plan-after.js';
import type { ExitConditions } from '../../matrix/run-exit-code.js';
import type { Plan } from '../../plan/ticket.js';
import { diskSpool } from '../../report/gather/failure-spool.js';
import { openGathering } from '../../report/gather/gather.js';
import type { FileFormat } from '../../report/render.js';
import { fileFormats } from '../../report/report-formats.js';
import { replay } from '../../run/drive.js';
import { checkNames, possibleFolder, unwritable, writableFolder } from '../folders/writable.js';
import { startOf } from '../options/recorded-options.js';
import type { Io } from '../terminal/io.js';
import { writeReport, type WrittenReport } from './write-report.js';

export interface RunToRejudge {
  readonly plan: Plan;
  readonly project: Project;
  /** Where the journal is. */
  readonly source: string;
  /** Where the report goes. */
  readonly folder: string;
  /** undefined: all. */
  readonly formats: readonly FileFormat[] | undefined;
  /** Decides the exit code, which the report explains. */
  readonly exit: ExitConditions;
}

/** Judges what a journal holds by this plan, sending nothing, and writes the files of the report. */
export async function rejudgeRun(
  { plan, project, source, folder, formats = fileFormats, exit }: RunToRejudge,
  io: Io,
): Promise<WrittenReport> {
  const { targets } = project.config;
  await possibleFolder(folder);
  await checkNames(folder, formats);
  const gathering = openGathering(diskSpool(() => folder));
  try {
    const previous = recordedPrevious(await startOf(source));
    const asked = planAfter(plan, previous);
    const events = replay(join(source, journalName), { ...runParts(asked, targets), plan: asked, targets });
    for await (const event of events) gathering.onEvent(event);
    // Only now, so that a journal that cannot be read leaves no empty folder behind.
    await writableFolder(folder);
    return await writeReport({ plan, project, gathering, folder, journalFolder: source, formats, previous, exit }, io);
  } catch (error) {
    throw unwritable(error, folder);
  }
}
