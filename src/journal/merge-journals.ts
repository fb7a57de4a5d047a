import { rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { exchangeId } from './exchange-ids.js';
import type { RunFinished, RunStarted, Stop } from './event.js';
import { createJournal, journalName } from './journal.js';
import { readJournal } from './read-journal.js';

/** A shard's run folder with the first line of its journal. */
export interface ShardFolder {
  readonly folder: string;
  readonly started: RunStarted;
}

/**
 * Writes the journals of shards as the one journal that a single machine would have written: exchanges in the order of
 * the shards, numbered anew. It ends with a last line only when every shard's does and none is missing. Rejects with a
 * JournalError: a damaged shard, after which nothing is left in the folder, or a folder that already holds a run.
 * @param shards of one plan, in their order
 * @param modelsOf what a shard had to ask
 */
export async function mergeJournals(
  shards: readonly ShardFolder[],
  started: RunStarted,
  folder: string,
  modelsOf: (shard: ShardFolder) => readonly string[],
): Promise<void> {
  const journal = await createJournal(folder);
  let whole = false;
  try {
    await journal.append(started, false);
    let number = 0;
    const ends: RunFinished[] = [];
    for (const shard of shards) {
      let end: RunFinished | null = null;
      for await (const line of readJournal(join(shard.folder, journalName))) {
        end = line.type === 'run_finished' ? line : null;
        if (line.type !== 'exchange') continue;
        number += 1;
        await journal.append({ ...line, id: exchangeId(number) }, false);
      }
      if (end !== null) ends.push(ofShard(end, modelsOf(shard)));
    }
    if (ends.length === started.merged?.of) await journal.append(endOfAll(ends, number));
    whole = true;
  } finally {
    // A part of the shards would pass for a run that was cut off, and stand in the way of the mended ones.
    if (!whole) await rm(join(folder, journalName), { force: true });
    await journal.close();
    // A folder that held something before stays.
    if (!whole) await rmdir(folder).catch(() => undefined);
  }
}

/** The first line of the whole run: it began with its first shard. */
export function startOfAll(shards: readonly [ShardFolder, ...ShardFolder[]]): RunStarted {
  const [{ started: first }] = shards;
  const starts = shards.map(({ started }) => started);
  const indexes = starts.flatMap(({ shard }) => shard?.index ?? []);
  const { options, ...start } = starts.find(({ shownBefore }) => shownBefore !== undefined) ?? first;
  const ofWhole = Object.entries(options ?? {}).filter(([name]) => name !== 'shard');
  return {
    ...start,
    options: Object.fromEntries(ofWhole),
    at: starts.reduce((earliest, { at }) => (at < earliest ? at : earliest), first.at),
    shard: null,
    merged: { of: first.shard?.of ?? shards.length, shards: indexes },
  };
}

/** A shard's budget and its accounts say nothing of the models of others. */
function ofShard(end: RunFinished, models: readonly string[]): RunFinished {
  if (end.stopped === undefined) return end;
  return { ...end, stopped: end.stopped.map((stop) => ({ ...stop, models })) };
}

function endOfAll(ends: readonly RunFinished[], requests: number): RunFinished {
  const stopped = ends.flatMap((end): readonly Stop[] => end.stopped ?? []);
  const at = ends.reduce((latest, end) => (end.at > latest ? end.at : latest), '');
  return { type: 'run_finished', at, requests, ...(stopped.length > 0 ? { stopped } : {}) };
}
