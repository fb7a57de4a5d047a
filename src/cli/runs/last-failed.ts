import { basename, resolve } from 'node:path';
import { realpath } from 'node:fs/promises';
import type { Project } from '../../assemble/project.js';
import { userError, type UserError } from '../../files/problems/problem.js';
import { isInUse } from '../../journal/journal-lock.js';
import { leftOpenBy, runThatLeftOpen } from '../../matrix/last-failed.js';
import type { Report } from '../../matrix/report-format.js';
import type { GivenOptions } from '../../journal/event.js';
import type { LeftOpen, Plan } from '../../plan/ticket.js';
import { readReport } from '../../report/run-folder.js';
import { latestFolder } from '../../assemble/run-place.js';
import { displayPath } from '../folders/folders.js';
import type { Io } from '../terminal/io.js';
import type { Options } from '../verb.js';

const nameAnother = 'name a run of this config: --last-failed RUN';

/** What a run left open, and the tags by which it chose its cells. */
export interface Repeated {
  readonly open: LeftOpen;
  readonly options: GivenOptions;
}

/**
 * What `--last-failed` asks again; undefined if it was not given. Throws a UserError for a run that is missing, has not
 * ended, or is of another config.
 */
export async function lastFailedIn(options: Options, project: Project, io: Io): Promise<Repeated | undefined> {
  const asked = options['lastFailed'];
  if (asked === undefined) return undefined;
  const folder = typeof asked === 'string' ? resolve(io.cwd, asked) : await newestRun(project, io);
  const name = displayPath(folder, io);
  if (await isInUse(folder)) {
    throw userError(`the run in ${name} is still running, so nobody knows what it leaves open`, 'wait until it ends');
  }
  const report = await readReport(folder);
  refuseOtherConfig(report, project, options, name);
  const tags = report.run.filters?.['tags'];
  return {
    open: leftOpenBy(report, name),
    options: tags === undefined || options['tags'] !== undefined ? {} : { tags },
  };
}

async function newestRun({ config }: Project, io: Io): Promise<string> {
  const latest = latestFolder(config);
  return realpath(latest).catch(() => {
    const hint = 'run everything first: chatspec run, or name a run: --last-failed RUN';
    throw userError(`there is no earlier run: ${displayPath(latest, io)} does not exist`, hint);
  });
}

/** Configs change from run to run; another one has another name and other contents, or none of the models. */
function refuseOtherConfig({ run, models }: Report, { config }: Project, options: Options, folder: string): void {
  const [theirs, ours] = [run.config ?? 'chatspec.yaml', options['config'] ?? 'chatspec.yaml'];
  const known = new Set(config.targets.flatMap((target) => target.models.map(({ key }) => key)));
  if (models.length > 0 && !models.some(({ id }) => known.has(id))) {
    throw otherConfig(folder, `the config has none of its models, such as ${models[0]?.id ?? ''}`);
  }
  if (basename(theirs) !== basename(String(ours))) throw otherConfig(folder, `it was made with ${theirs}`);
}

function otherConfig(folder: string, why: string): UserError {
  return userError(`the run in ${folder} is of another config: ${why}`, nameAnother);
}

/** Why a plan of `--last-failed` is empty; null: it is not, or is no such plan. */
export function nothingToAsk({ lastFailed, plannedCells }: Plan): string | null {
  if (lastFailed === undefined || plannedCells > 0) return null;
  const { cells } = lastFailed;
  const run = runThatLeftOpen(lastFailed);
  return cells.length === 0
    ? `nothing to ask again: every cell of ${run} passed, and none deviated`
    : `nothing to ask again: the other options choose ${cells.length === 1 ? 'not the one cell' : `none of the ${cells.length} cells`} that ${run} left open`;
}

/**
 * What a run that is resumed had asked again. Throws a UserError if `--last-failed` is given and the run was not started
 * with it, or with that of another run.
 */
export function resumedLeftOpen(
  recorded: LeftOpen | undefined,
  given: LeftOpen | undefined,
  options: Options,
): LeftOpen | undefined {
  const named = typeof options['lastFailed'] === 'string' ? given?.run : recorded?.run;
  if (options['lastFailed'] === undefined || (recorded !== undefined && named === recorded.run)) return recorded;
  const how = recorded === undefined ? 'without --last-failed' : `with --last-failed of ${runThatLeftOpen(recorded)}`;
  throw userError(`the run to resume was started ${how}`, 'resume it without --last-failed; it keeps its own options');
}
