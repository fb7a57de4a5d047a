import { readPreviousRun } from '../../assemble/read-previous-run.js';
import type { Config } from '../../config/config.js';
import type { PreviousRun } from '../../journal/previous-run.js';
import type { Io } from '../terminal/io.js';
import { printProblems } from '../terminal/print-problems.js';
import { unreadableReport } from './recorded-models.js';

/** What the newest run before the one in `folder` showed and knew. Warns of a report that cannot be read. */
export function previousRun(config: Config, folder: string, io: Io): Promise<PreviousRun | null> {
  return readPreviousRun(config, folder, (error) => {
    printProblems(unreadableReport(error, 'this run begins without what that one knew'), io);
  });
}
