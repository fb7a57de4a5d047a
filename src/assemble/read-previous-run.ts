import { realpath } from 'node:fs/promises';
import type { Config } from '../config/config.js';
import { UserError } from '../files/problems/problem.js';
import type { ModelBefore } from '../journal/event.js';
import type { PreviousRun } from '../journal/previous-run.js';
import { hasReport, readReport } from '../report/run-folder.js';
import { hasAnswered } from '../matrix/remembered.js';
import { alarmsToldNext, learnedToldNext } from '../matrix/standing/told-to-next-run.js';
import type { Report } from '../matrix/report-format.js';
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
    return latest === folder ? null : previousRunOf(await readReport(latest));
  } catch (error) {
    if (error instanceof UserError && latest !== undefined && hasReport(latest)) tell(error);
    if (error instanceof UserError || isFileSystemError(error)) return null;
    throw error;
  }
}

function isFileSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

/** As the next run remembers it. */
export function previousRunOf({ run, cells, models, remembered }: Report): PreviousRun {
  const shared = [
    ...Object.entries(remembered?.shared ?? {}),
    ...models.flatMap(({ id, shared_failures: found }) => (found === undefined ? [] : [[id, found] as const])),
  ];
  const shown = cells.filter(({ standing }) => standing === 'regression');
  return {
    shown: new Map(shown.map(({ key, runs_in_a_row: runs = 1 }) => [key, runs])),
    ...alarmsToldNext(cells),
    learned: new Map([
      ...Object.entries(remembered?.cells ?? {}),
      ...cells.flatMap((cell) => {
        const learned = learnedToldNext(cell, cell);
        return learned ? [[cell.key, learned] as const] : [];
      }),
    ]),
    ...(shared.length > 0 && { shared: new Map(shared) }),
    models: new Map([
      ...Object.entries(remembered?.models ?? {}),
      ...models.flatMap((model) => {
        const { id, served, fingerprints = [], served_changes: changes = [], counted_requests: requests = [] } = model;
        if (!hasAnswered(model)) return [];
        const change = model.prompt_tokens_change;
        const swap = changes.find(({ field }) => field === 'model');
        const { before = [], now = [], at = run.started_at } = swap ?? {};
        const known: ModelBefore = {
          ...{ served, fingerprints, ...(swap && { swap: { before, now, at } }) },
          ...(requests.length > 0 && { requests: requests.map((one) => ({ ...one, at: one.at ?? run.started_at })) }),
          ...(change && { prompt_change: { ...change, at: change.at ?? run.started_at } }),
        };
        return [[id, known] as const];
      }),
    ]),
  };
}
