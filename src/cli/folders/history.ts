import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { userError } from '../../files/problems/problem.js';
import type { History } from '../../report/history/history.js';
import { readHistory } from '../../report/history/read-history.js';
import { textOf } from '../options/options.js';
import type { Io } from '../terminal/io.js';
import type { Options } from '../verb.js';
import { displayPath } from './folders.js';

/**
 * The earlier runs that a report shows: those in `--history`, else the ones beside it where a run goes by default.
 * @param folder where the run is
 * @param started when the run began, as ISO time
 */
export async function historyOf(folder: string, started: string, options: Options, io: Io): Promise<History | null> {
  const asked = await askedHistory(options, io);
  if (asked !== null) return readHistory(asked, { until: started });
  const beside = dirname(await realpath(folder));
  const isUsual = basename(beside) === 'runs' && basename(dirname(beside)) === 'reports';
  return isUsual ? readHistory(beside, { until: started }) : null;
}

/** The folder of `--history`; null if it was not given. Throws a UserError if it names no folder. */
export async function askedHistory(options: Options, io: Io): Promise<string | null> {
  const asked = textOf(options, 'history');
  if (asked === undefined) return null;
  const from = resolve(io.cwd, asked);
  await readdir(from).catch((error: unknown) => {
    const isFile = (error as { code?: string }).code === 'ENOTDIR';
    const why = isFile ? 'it is no folder' : 'it does not exist or is not readable';
    const hint = 'name the folder that holds the run folders';
    throw userError(`cannot read --history ${displayPath(from, io)}: ${why}`, hint);
  });
  return from;
}
