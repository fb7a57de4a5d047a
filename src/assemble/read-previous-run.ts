import { realpath } from 'node:fs/promises';
import type { Config } from '../config/config.js';
import { UserError, userError } from '../files/problems/problem.js';
import { previousFrom, type PreviousRun } from '../journal/previous-run.js';
import { readSummary } from '../report/history/read-history.js';
import { hasReport } from '../report/run-folder.js';
import { latestFolder } from './run-place.js';

/**
 * What the newest run before this one showed and knew.
 * null when there is no such run, or it cannot be read: then no alarm waits for a second run.
 * @param tell is told of a report that is there and cannot be read
 */
export async function readPreviousRun(
  config: Config,
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
