import { constants } from 'node:fs';
import { access, lstat, readdir, readlink, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isJudgement } from '../../cell/verdict.js';
import type { Config } from '../../config/config.js';
import { makeFolder, unfitFolder } from '../../files/make-folder.js';
import { userError } from '../../files/problems/problem.js';
import { JournalError } from '../../journal/journal-error.js';
import { hasJournal } from '../../journal/journal.js';
import { compareTexts } from '../../json/compare-texts.js';
import { isRunName, latestFolder, readSummary, runPlaces } from '../../report/history/read-history.js';
import { verdictIn } from '../../matrix/run-summary.js';
import type { FileFormat } from '../../report/render.js';
import { hasReport, refuseBrokenLink } from '../../report/run-folder.js';
import { optionText, type Options } from '../options/options.js';
import { recordedRunStart } from '../options/recorded-options.js';
import { loadTargets } from '../runs/load-inputs.js';
import { type Io, displayPath } from '../terminal/io.js';
import { asUnwritableError, writingTo } from '../../files/write-whole.js';

/** The folder of a new run: `--out`, else the config's `out`, with `{stamp}` replaced. */
export function newRunFolder(config: Config, options: Options, io: Io, stamp: string): string {
  const asked = optionText(options, 'out');
  return (asked === undefined ? config.out : resolve(io.cwd, asked)).replaceAll('{stamp}', stamp);
}

/** The folder of the run that `--resume` continues: `--out`, else the newest run. */
export async function resumedFolder(config: Config, options: Options, io: Io): Promise<string> {
  const asked = optionText(options, 'out');
  if (asked !== undefined) return resolve(io.cwd, asked);
  const latest = latestFolder(config);
  await refuseBrokenLink(latest);
  return readlink(latest).then(
    (path) => resolve(dirname(latest), path),
    () => latest,
  );
}

/** Whether two paths lead to the same folder, also by a link. */
export async function isSameFolder(one: string, other: string): Promise<boolean> {
  const [real, otherReal] = await Promise.all([one, other].map((path) => realpath(path).catch(() => resolve(path))));
  return real === otherReal;
}

/**
 * Throws a UserError for the folder of another run, over whose files nothing may be written. A run that was pruned has
 * no journal any more, but its report and summary; `report --format json --out` writes a report alone.
 * @param run the id of the run whose files are to be written; null: a new one
 */
export async function refuseOtherRun(folder: string, run: string | null): Promise<void> {
  const summary = hasReport(folder) ? await readSummary(folder, { ofReport: false }) : null;
  const isOwn = summary === null || (summary !== 'unreadable' && summary.run.id === run);
  if (isOwn && !hasJournal(folder)) return;
  throw userError(`${folder} already holds a run, which stays as it is`, 'name another folder with --out');
}

/**
 * Before anything else is done: throws a UserError if `--out`, or another option, names what can be no folder of
 * reports.
 */
export async function checkOut(options: Options, io: Io, option: 'out' | 'site' = 'out'): Promise<void> {
  const asked = optionText(options, option);
  if (asked === undefined) return;
  const folder = resolve(io.cwd, asked);
  const unfit = await unfitFolder(folder);
  if (unfit === null) return;
  const why = unfit.path === folder ? `it is ${unfit.is}` : 'part of the path is a file';
  throw userError(`cannot write to ${folder}: ${why}`, `name another folder with --${option}`);
}

/**
 * Makes the folder if it is missing, and checks that files can be written to it. Throws a UserError that names the
 * path.
 */
export async function writableFolder(folder: string): Promise<void> {
  await writingTo(folder, makeFolder(folder));
  await writingTo(folder, access(folder, constants.W_OK | constants.X_OK));
}

/**
 * Before a run is paid for: throws a UserError if a folder has the name of a file that is to be written there in the
 * end.
 * @param folder may be missing
 */
export async function checkNames(folder: string, formats: readonly FileFormat[]): Promise<void> {
  for (const path of formats.map(({ file }) => join(folder, file))) {
    const found = await lstat(path).catch(() => null);
    if (found?.isDirectory() ?? false) throw asUnwritableError({ code: 'EISDIR' }, path);
  }
}

/** The folder of `--history`; undefined if it was not given. Throws a UserError if it names no folder. */
export async function askedHistory(options: Options, io: Io): Promise<string | undefined> {
  const asked = optionText(options, 'history');
  if (asked === undefined) return undefined;
  const from = resolve(io.cwd, asked);
  await readdir(from).catch(() => {
    const message = `cannot read --history ${displayPath(from, io)}: it is no folder, or not readable`;
    throw userError(message, 'name the folder that holds the run folders');
  });
  return from;
}

/** A run, as its folder describes it. */
export interface FoundRun {
  readonly folder: string;
  /** The id of the run; a judgement repeated has that of the run that it judges. */
  readonly run: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** Whether everything was asked, of all models, and not only what another run left open. */
  readonly whole: boolean;
  /** Whether it has a report, which history reads; a run that was killed has none. */
  readonly reported: boolean;
  /** Whether it judged any cell. */
  readonly measured: boolean;
  /** Whether it ended red. */
  readonly deviated: boolean;
  readonly latest: boolean;
}

/**
 * The run folders where the config's `out` puts them: any folder beside them too, since a run may be named with
 * `--out`. The newest come first. Folders that hold no run, and links, are left out. Throws a UserError where `out`
 * names one folder for all runs.
 */
export async function recordedRuns(options: Options, io: Io) {
  const { config } = await loadTargets(options, io, false);
  const places = runPlaces(config.out);
  if (places === null) {
    const message = `out of the config names one folder, ${config.out}, and not one for each run`;
    throw userError(message, 'put {stamp} into it once, such as reports/runs/{stamp}');
  }
  const { under, below } = places;
  const entries = await readdir(under, { withFileTypes: true }).catch((error: unknown) => {
    if ((error as { code?: string }).code === 'ENOENT') return [];
    throw error;
  });
  const runs: FoundRun[] = [];
  const unreadable: string[] = [];
  for (const entry of entries.filter((one) => one.isDirectory() && isRunName(one.name, places))) {
    const folder = join(under, entry.name, below);
    const found = await runIn(folder);
    if (found === 'unreadable') {
      unreadable.push(folder);
    } else if (found !== null) {
      runs.push({ ...found, folder, latest: await isSameFolder(folder, latestFolder(config)) });
    }
  }
  runs.sort((a, b) => compareTexts(b.startedAt, a.startedAt) || compareTexts(b.folder, a.folder));
  return { under, runs, unreadable };
}

async function runIn(folder: string): Promise<Omit<FoundRun, 'folder' | 'latest'> | 'unreadable' | null> {
  const summary = await readSummary(folder);
  if (summary === 'unreadable') return summary;
  if (summary !== null) {
    const { id, started_at: startedAt, complete, shard, partial } = summary.run;
    const measured = Object.values(summary.cells).some((cell) => isJudgement(verdictIn(cell)));
    const deviated = summary.exit_code === 1;
    return { run: id, startedAt, whole: complete && !shard && partial !== true, reported: true, measured, deviated };
  }
  try {
    const started = await recordedRunStart(folder);
    const nothing = { whole: false, reported: false, measured: false, deviated: false };
    return started === null ? null : { run: started.run, startedAt: started.at, ...nothing };
  } catch (error) {
    if (error instanceof JournalError) return 'unreadable';
    throw error;
  }
}
