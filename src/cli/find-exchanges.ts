import { join } from 'node:path';
import type { FindExchanges } from '../report/recorded.js';
import { journalName } from '../run/journal.js';
import { readJournal } from '../run/read-journal.js';

/** Looks exchanges up in a run folder's journal, read line by line. */
export function exchangesIn(folder: string): FindExchanges {
  return async function* (ids) {
    if (ids.size === 0) return;
    let missing = ids.size;
    for await (const line of readJournal(join(folder, journalName))) {
      if (line.type !== 'exchange' || !ids.has(line.id)) continue;
      yield line;
      missing -= 1;
      if (missing === 0) return;
    }
  };
}
