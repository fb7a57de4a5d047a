import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sweepUnfinished } from '../../files/write-whole.js';
import { journalName } from '../../journal/journal.js';
import { compressedName } from '../../journal/compressed.js';
import { whileLocked } from '../../journal/journal-lock.js';
import { reportFormats } from '../../report/report-formats.js';

const { md, junit, ctrf, openmetrics, failures } = reportFormats;

/**
 * What goes from a run folder, in this order. `chatspec report` makes the first four again from report.json, and `rejudge`
 * makes all but the journal again from the journal. So the journal goes last: a kill before loses nothing.
 */
const removable: readonly string[] = [
  ...[md, junit, ctrf, openmetrics, failures].map(({ file }) => file),
  ...[compressedName(journalName), journalName],
];

/**
 * What stays: the three files that history, comparisons and applications read, and the page, to which the pages of newer
 * runs link, and which nobody could make again without the journal.
 */
export const keptFiles: readonly string[] = (['json', 'summary', 'capabilities', 'html'] as const).map(
  (name) => reportFormats[name].file,
);

/** What thinning a run folder removes. */
export interface Thinning {
  readonly files: readonly string[];
  readonly bytes: number;
}

/** What would be removed from a run folder now. Links and folders count as nobody's files. */
export async function thinningOf(folder: string): Promise<Thinning> {
  const files: string[] = [];
  let bytes = 0;
  for (const name of removable) {
    const found = await lstat(join(folder, name)).catch(() => null);
    if (found === null || !found.isFile()) continue;
    files.push(name);
    bytes += found.size;
  }
  return { files, bytes };
}

/**
 * Removes what history does not need, with the folder locked, so that no run continues in it meanwhile. Rejects with a
 * JournalError if it is in use, and with what the file system throws.
 */
export async function thinFolder(folder: string): Promise<Thinning> {
  return whileLocked(folder, async () => {
    const thinning = await thinningOf(folder);
    for (const name of thinning.files) {
      await sweepUnfinished(join(folder, name));
      await rm(join(folder, name));
    }
    return thinning;
  });
}
