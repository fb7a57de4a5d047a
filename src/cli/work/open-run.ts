import type { ShownBefore } from '../../decide/bad-hour.js';
import { createJournal, resumeJournal, type Journal } from '../../journal/journal.js';
import type { Recorded } from '../../journal/recorded-run.js';
import { newRunFolder, pointLatestTo, stampOf } from '../folders/folders.js';
import type { Io } from '../terminal/io.js';
import { shownBeforeIn, shownBeforeOf } from '../folders/shown-before.js';
import { folderError } from '../errors/error-exit.js';
import type { Work } from './work.js';

/** Where a run writes, and what it has of before. */
export interface OpenRun {
  readonly folder: string;
  readonly journal: Journal;
  readonly recorded: Recorded | null;
  readonly shownBefore: ShownBefore | null;
}

/** Makes the folder of a new run, or takes that of the one to go on with. Throws what stands in the way as a UserError. */
export async function openRun(work: Work, io: Io): Promise<OpenRun> {
  const { inputs, resumed, shard } = work;
  const opened = await openFolder(work, io).catch((error: unknown) => {
    throw folderError(error);
  });
  const started = resumed?.started ?? null;
  const shownBefore = started === null ? await shownBeforeIn(inputs.config, opened.folder) : shownBeforeOf(started);
  // A part is no run to compare the next one with.
  if (shard === null) await pointLatestTo(inputs.config, opened.folder);
  return { ...opened, shownBefore };
}

async function openFolder(
  { inputs, options, resumed, plan }: Work,
  io: Io,
): Promise<Pick<OpenRun, 'folder' | 'journal' | 'recorded'>> {
  if (resumed !== null) return { folder: resumed.folder, ...(await resumeJournal(resumed.folder, plan.digest)) };
  const folder = newRunFolder(inputs.config, options, io, stampOf(new Date()));
  return { folder, journal: await createJournal(folder), recorded: null };
}
