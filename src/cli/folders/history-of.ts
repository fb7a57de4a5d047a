import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { userError } from '../../files/problems/problem.js';
import type { History } from '../../report/history/history.js';
import { readHistory, readSummary } from '../../report/history/read-history.js';
import type { RunSummary } from '../../report/history/run-summary.js';
import { textOf } from '../options/options.js';
import type { Io } from '../terminal/io.js';
import type { Options } from '../verb.js';
import { displayPath } from './folders.js';

/**
 * The earlier runs that a report shows: those in `--history`, else the ones beside it where a run goes by default.
 * Throws a UserError if `--history` cannot be read.
 * @param report.folder where the run is
 * @param report.started when the run began, as ISO time
 * @param report.shown whether what is written shows it; if not, only `--history` is read, so that a wrong one is told
 */
export async function historyOf(
  { folder, started, shown }: { readonly folder: string; readonly started: string; readonly shown: boolean },
  options: Options,
  io: Io,
): Promise<History | null> {
  const asked = textOf(options, 'history');
  if (asked !== undefined) {
    const from = resolve(io.cwd, asked);
    return readHistory(from, { until: started }).catch((error: unknown) => {
      throw notRead(error, displayPath(from, io));
    });
  }
  if (!shown) return null;
  const beside = dirname(await realpath(folder));
  const isUsual = basename(beside) === 'runs' && basename(dirname(beside)) === 'reports';
  return isUsual ? readHistory(beside, { until: started }) : null;
}

/** Throws a UserError if `--history` names no folder, before anything is sent. */
export async function checkHistory(options: Options, io: Io): Promise<void> {
  const asked = textOf(options, 'history');
  if (asked === undefined) return;
  const from = resolve(io.cwd, asked);
  await readdir(from).catch((error: unknown) => {
    throw notRead(error, displayPath(from, io));
  });
}

function notRead(error: unknown, path: string): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error;
  const why =
    (error as { code?: string }).code === 'ENOTDIR' ? 'it is no folder' : 'it does not exist or is not readable';
  return userError(`cannot read --history ${path}: ${why}`, 'name the folder that holds the run folders');
}

/** What a run folder says of its own run, or null. */
export async function ownSummary(folder: string, run: string): Promise<RunSummary | null> {
  const own = await readSummary(folder);
  return own !== null && own !== 'unreadable' && own.run.id === run ? own : null;
}
