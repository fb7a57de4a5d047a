import { realpath } from 'node:fs/promises';
import type { Config } from '../config/config.js';
import { readReport } from '../report/run-folder.js';
import { latestFolder } from './folders.js';

/**
 * The cells that the newest run before this one showed as unsettled: confirmed again, they alarm.
 * null where there is no such run, or none that can be read: then nothing is put off.
 */
export async function unsettledBefore(config: Config, folder: string): Promise<ReadonlySet<string> | null> {
  try {
    const latest = await realpath(latestFolder(config));
    if (latest === folder) return null;
    const { cells } = await readReport(latest);
    return new Set(cells.filter(({ unsettled }) => unsettled).map(({ key }) => key));
  } catch {
    return null;
  }
}
