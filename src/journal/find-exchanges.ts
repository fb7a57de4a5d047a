import { join } from 'node:path';
import type { ExchangeRecord } from './event.js';
import { journalName } from './journal.js';
import { readJournal } from './read-journal.js';

/** Finds exchanges by id, in the order of the journal. Leaves out ids that are not there. */
export type FindExchanges = (ids: ReadonlySet<string>) => AsyncIterable<ExchangeRecord>;

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
