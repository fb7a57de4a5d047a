import { mkdir, realpath, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { UserError, userError } from '../../files/problems/problem.js';
import { unfinishedName } from '../../files/write-whole.js';
import { journalName } from '../../journal/journal.js';
import { JournalError } from '../../journal/journal-error.js';
import { previousFrom, type PreviousRun } from '../../journal/event.js';
import { readJournal } from '../../journal/read-journal.js';
import { hasReport } from '../run-folder.js';
import { readSummary } from './read-history.js';

/** `2026-11-20T03-17-00-123Z`: sorts by time and is a file name everywhere. */
export function stampOf(now: Date): string {
  return now.toISOString().replace(/[:.]/g, '-');
}

/** The config, which `reports/latest` stands beside. */
interface ConfigPlace {
  readonly file: string;
}

/** The link that always leads to the newest run. */
export function latestFolder(config: ConfigPlace): string {
  return join(dirname(config.file), 'reports', 'latest');
}

/**
 * Points `reports/latest` to the folder of a run that continues one that began at the given time, unless a newer run has
 * begun since.
 * @param at in ISO 8601
 */
export async function pointLatestToResumed(config: ConfigPlace, folder: string, at: string): Promise<void> {
  const latest = await begunAt(latestFolder(config));
  if (latest === null || Date.parse(latest) <= Date.parse(at)) await pointLatestTo(config, folder);
}

/** null: the folder holds no journal that can be read. */
async function begunAt(folder: string): Promise<string | null> {
  try {
    for await (const line of readJournal(join(folder, journalName)))
      return line.type === 'run_started' ? line.at : null;
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
  }
  return null;
}

/** Points `reports/latest` to the folder. Where links cannot be made, nothing happens: a run does not need it. */
export async function pointLatestTo(config: ConfigPlace, folder: string): Promise<void> {
  const latest = latestFolder(config);
  if (latest === folder) return;
  const fresh = unfinishedName(latest);
  try {
    await mkdir(dirname(latest), { recursive: true });
    await symlink(relative(dirname(latest), folder), fresh, 'junction');
    await rename(fresh, latest);
  } catch {
    await rm(fresh, { force: true });
  }
}

/**
 * What the newest run before this one showed and knew.
 * null when there is no such run, or it cannot be read: then no alarm waits for a second run.
 * @param tell is told of a report that is there and cannot be read
 */
export async function readPreviousRun(
  config: ConfigPlace,
  folder: string,
  tell: (error: UserError) => void = () => undefined,
): Promise<PreviousRun | null> {
  let latest: string | undefined;
  try {
    latest = await realpath(latestFolder(config));
    if (latest === folder) return null;
    const summary = await readSummary(latest);
    if (summary === 'unreadable') throw userError(`${latest} cannot be read`, 'run again: it begins anew');
    return summary === null ? null : previousFrom(summary.memory);
  } catch (error) {
    if (error instanceof UserError && latest !== undefined && hasReport(latest)) tell(error);
    if (error instanceof UserError || isFileSystemError(error)) return null;
    throw error;
  }
}

function isFileSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
