import { realpath } from 'node:fs/promises';
import type { Config } from '../../config/config.js';
import type { ShownBefore } from '../../decide/bad-hour.js';
import { UserError } from '../../files/problems/problem.js';
import { readReport } from '../../report/run-folder.js';
import type { RunStarted } from '../../journal/event.js';
import { latestFolder } from './folders.js';

/**
 * The cells that the newest run before this one showed as regressions; if this run confirms them, they alarm.
 * null when there is no such run, or it cannot be read: then no alarm waits for a second run.
 */
export async function previousRegressions(config: Config, folder: string): Promise<ShownBefore | null> {
  try {
    const latest = await realpath(latestFolder(config));
    if (latest === folder) return null;
    const { cells } = await readReport(latest);
    return new Map(
      cells
        .filter(({ standing }) => standing === 'regression')
        .map(({ key, runs_in_a_row: runs = 1 }) => [key, runs] as const),
    );
  } catch (error) {
    if (error instanceof UserError || isFileSystemError(error)) return null;
    throw error;
  }
}

function isFileSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

/** The same as a recorded run knew it, so that resuming or rejudging it gives the same alarms. */
export function recordedRegressions(started: RunStarted | null): ShownBefore | null {
  return started?.shownBefore === undefined ? null : new Map(Object.entries(started.shownBefore));
}
