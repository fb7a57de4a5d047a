import { rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../files/make-folder.js';
import { writeWhole } from '../files/write-whole.js';
import { compressedName } from './compressed.js';
import type { JournalLine, RunFinished, RunStarted, Stop } from './event.js';
import { exchangeIdsAfter, readJournal } from './read-journal.js';
import { hasJournal, journalName } from './journal.js';
import { JournalError, journalError } from './journal-error.js';
import { whileLocked } from './journal-lock.js';
import { writtenJson } from '../json/json.js';

/** A shard's run folder and the first line of its journal. */
export interface ShardFolder {
  readonly folder: string;
  readonly started: RunStarted;
}

/**
 * Writes the journals of shards as the one journal that a single machine would have written: exchanges in the order of
 * the shards, with new numbers. It has a last line only when every shard has one and none is missing. A merged run that
 * is there already is replaced if these shards hold all its answers, so that a killed merge can be run again. Rejects
 * with a JournalError for a damaged shard, leaving nothing in the folder, and for a folder that holds another run.
 * @param shards the shards of one plan, in order
 * @param modelsOf the models that a shard had to ask
 */
export async function mergeJournals(
  shards: readonly ShardFolder[],
  started: RunStarted,
  folder: string,
  modelsOf: (shard: ShardFolder) => readonly string[],
): Promise<void> {
  const file = join(folder, journalName);
  try {
    await makeFolder(folder);
    await whileLocked(folder, async () => {
      await writeWhole(file, withAllOf(folder, started.plan, mergedLines(shards, started, modelsOf)));
      await rm(compressedName(file), { force: true });
    });
  } catch (error) {
    // A folder that contained something else is kept.
    await rmdir(folder).catch(() => undefined);
    throw journalError(error, folder);
  }
}

async function* mergedLines(
  shards: readonly ShardFolder[],
  started: RunStarted,
  modelsOf: (shard: ShardFolder) => readonly string[],
): AsyncGenerator<JournalLine> {
  yield started;
  let requests = 0;
  const nextId = exchangeIdsAfter(0);
  const end = { shards: 0, at: '' };
  const stopped: Stop[] = [];
  for (const shard of shards) {
    let last: RunFinished | null = null;
    for await (const line of readJournal(join(shard.folder, journalName))) {
      last = line.type === 'run_finished' ? line : null;
      if (line.type === 'sent') yield line;
      if (line.type !== 'exchange') continue;
      requests += 1;
      yield { ...line, id: nextId() };
    }
    if (last === null) continue;
    end.shards += 1;
    if (last.at > end.at) end.at = last.at;
    // A stop of one shard does not concern the models of the others.
    for (const stop of last.stopped ?? []) stopped.push({ ...stop, models: modelsOf(shard) });
  }
  if (end.shards !== started.merged?.of) return;
  yield { type: 'run_finished', at: end.at, requests, ...(stopped.length > 0 && { stopped }) };
}

/** The lines as text. Throws at their end when the folder's journal holds an answer that is not among them. */
async function* withAllOf(folder: string, plan: string, lines: AsyncIterable<JournalLine>): AsyncGenerator<string> {
  const kept = answersIn(folder, plan);
  let wanted = await kept.next();
  for await (const line of lines) {
    // Lines and shards are in the same order.
    if (wanted.done !== true && wanted.value === withoutId(line)) wanted = await kept.next();
    yield `${writtenJson(line)}\n`;
  }
  if (wanted.done === true) return;
  await kept.return(undefined);
  throw exists(`${folder} already holds a merged run with answers that these shards do not hold`);
}

const exists = (what: string): JournalError => new JournalError('exists', `${what}; choose another folder`);

const withoutId = (line: JournalLine): string => writtenJson({ ...line, id: '' });

async function* answersIn(folder: string, plan: string): AsyncGenerator<string, undefined> {
  if (!hasJournal(folder)) return;
  for await (const line of readJournal(join(folder, journalName))) {
    if (line.type === 'run_started' && (line.plan !== plan || line.merged === undefined)) {
      throw exists(`${folder} already holds a run`);
    }
    if (line.type === 'exchange' || line.type === 'sent') yield withoutId(line);
  }
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
