import { realpath } from 'node:fs/promises';
import type { Config } from '../../config/config.js';
import { UserError } from '../../files/problems/problem.js';
import type { PreviousRun } from '../../journal/previous-run.js';
import { readReport } from '../../report/run-folder.js';
import { learnedFrom } from '../../matrix/standing/known-after.js';
import type { Report, ReportCell } from '../../matrix/report-format.js';
import type { Learned } from '../../baseline/learned.js';
import { latestFolder } from './folders.js';

/**
 * What the newest run before this one showed and knew.
 * null when there is no such run, or it cannot be read: then no alarm waits for a second run.
 */
export async function readPreviousRun(config: Config, folder: string): Promise<PreviousRun | null> {
  try {
    const latest = await realpath(latestFolder(config));
    return latest === folder ? null : previousRunOf(await readReport(latest));
  } catch (error) {
    if (error instanceof UserError || isFileSystemError(error)) return null;
    throw error;
  }
}

function isFileSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

/** As the next run remembers it. */
export function previousRunOf({ cells, models, remembered }: Report): PreviousRun {
  const shown = cells.filter(({ standing }) => standing === 'regression');
  return {
    shown: new Map(shown.map(({ key, runs_in_a_row: runs = 1 }) => [key, runs])),
    confirmed: new Set(
      shown.filter(({ unsettled, waits, drop }) => !unsettled || waits === true || drop).map(({ key }) => key),
    ),
    drops: new Map(
      cells.flatMap(({ key, drop, passes_in_a_row: row }) => {
        const fresh = drop ?? (row === undefined ? undefined : { passed: row, total: row });
        return fresh ? [[key, fresh] as const] : [];
      }),
    ),
    learned: new Map([
      ...Object.entries(remembered?.cells ?? {}),
      ...cells.flatMap((cell) => {
        const learned = learnedOf(cell);
        return learned ? [[cell.key, learned] as const] : [];
      }),
    ]),
    models: new Map([
      ...Object.entries(remembered?.models ?? {}),
      ...models.flatMap(({ id, served, fingerprints = [] }) =>
        served.length + fingerprints.length > 0 ? [[id, { served, fingerprints }] as const] : [],
      ),
    ]),
  };
}

function learnedOf(cell: ReportCell): Learned | null {
  if (cell.known !== undefined) return learnedFrom(cell.known, cell);
  const { since_accepted: counted, standing, unsettled, waits, drop } = cell;
  if (counted === undefined) return null;
  const isHeld = standing === 'regression' && unsettled && waits !== true && drop !== undefined;
  return { ...counted, ...(isHeld && { held: drop }) };
}
