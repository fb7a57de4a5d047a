import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { exchangeIdsAfter } from './exchange-ids.js';
import type { ExchangeRecord, JournalLine, RequestSent, RunFinished, RunStarted } from './event.js';
import { draftJournal, hasJournal, journalName } from './journal.js';
import { JournalError } from './journal-error.js';
import { readJournal } from './read-journal.js';
import type { Stop } from './stop.js';

/** A shard's run folder and the first line of its journal. */
export interface ShardFolder {
  readonly folder: string;
  readonly started: RunStarted;
}

/**
 * Writes the journals of shards as the one journal that a single machine would have written: exchanges in the order of
 * the shards, with new numbers. It has a last line only when every shard has one and none is missing. A merged run that is
 * there already is replaced if these shards hold all its answers, so that a killed merge can be run again. Rejects with a
 * JournalError for a damaged shard, leaving nothing in the folder, and for a folder that holds another run.
 * @param shards the shards of one plan, in order
 * @param modelsOf the models that a shard had to ask
 */
export async function mergeJournals(
  shards: readonly ShardFolder[],
  started: RunStarted,
  folder: string,
  modelsOf: (shard: ShardFolder) => readonly string[],
): Promise<void> {
  const journal = await draftJournal(folder);
  let whole = false;
  try {
    await journal.append(started, false);
    let requests = 0;
    const nextId = exchangeIdsAfter(0);
    const ends: RunFinished[] = [];
    for (const shard of shards) {
      let end: RunFinished | null = null;
      for await (const line of readJournal(join(shard.folder, journalName))) {
        end = line.type === 'run_finished' ? line : null;
        if (line.type === 'sent') await journal.append(line, false);
        if (line.type !== 'exchange') continue;
        requests += 1;
        await journal.append({ ...line, id: nextId() }, false);
      }
      if (end !== null) ends.push(withModels(end, modelsOf(shard)));
    }
    if (ends.length === started.merged?.of) await journal.append(endOfAll(ends, requests));
    await refuseToLose(folder, journal.file);
    await journal.finish();
    whole = true;
  } finally {
    await journal.close();
    // A folder that contained something else is kept.
    if (!whole) await rmdir(folder).catch(() => undefined);
  }
}

/** Throws a JournalError when the folder holds a journal with anything that the new one does not hold. */
async function refuseToLose(folder: string, fresh: string): Promise<void> {
  const kept = join(folder, journalName);
  if (!hasJournal(folder)) return;
  const other = 'choose another folder';
  const lines = readJournal(fresh);
  try {
    const start = await lines.next();
    for await (const line of readJournal(kept)) {
      if (line.type === 'run_finished') continue;
      if (line.type === 'run_started') {
        const same = !start.done && start.value.type === 'run_started' && start.value.plan === line.plan;
        if (same && line.merged !== undefined) continue;
        throw new JournalError('exists', `${folder} already holds a run; ${other}`);
      }
      if (await comesIn(lines, line)) continue;
      const message = `${folder} already holds a merged run with answers that these shards do not hold; ${other}`;
      throw new JournalError('exists', message);
    }
  } finally {
    await lines.return(undefined);
  }
}

/** Reads on to this exchange or announcement, whatever its number. Both journals are in the order of the shards. */
async function comesIn(lines: AsyncGenerator<JournalLine>, wanted: ExchangeRecord | RequestSent): Promise<boolean> {
  const text = JSON.stringify({ ...wanted, id: '' });
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    if (JSON.stringify({ ...next.value, id: '' }) === text) return true;
  }
  return false;
}

/** The first line of the whole run, which began when its first shard did. */
export function startOfAll(shards: readonly [ShardFolder, ...ShardFolder[]]): RunStarted {
  const [{ started: first }] = shards;
  const starts = shards.map(({ started }) => started);
  const indexes = starts.flatMap(({ shard }) => shard?.index ?? []);
  const { options, ...start } = starts.find(({ before }) => before !== undefined) ?? first;
  const ofWhole = Object.entries(options ?? {}).filter(([name]) => name !== 'shard');
  return {
    ...start,
    options: Object.fromEntries(ofWhole),
    at: starts.reduce((earliest, { at }) => (at < earliest ? at : earliest), first.at),
    shard: null,
    merged: { of: first.shard?.of ?? shards.length, shards: indexes },
  };
}

/** What stopped one shard does not concern the models of the others. */
function withModels(end: RunFinished, models: readonly string[]): RunFinished {
  if (end.stopped === undefined) return end;
  return { ...end, stopped: end.stopped.map((stop) => ({ ...stop, models })) };
}

function endOfAll(ends: readonly RunFinished[], requests: number): RunFinished {
  const stopped = ends.flatMap((end): readonly Stop[] => end.stopped ?? []);
  const at = ends.reduce((latest, end) => (end.at > latest ? end.at : latest), '');
  return { type: 'run_finished', at, requests, ...(stopped.length > 0 ? { stopped } : {}) };
}
