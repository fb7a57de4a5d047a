import { appendFileSync, existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { makeFolder } from '../files/make-folder.js';
import { compressFile, inflateFile, isCompressed } from './compressed.js';
import type { ExchangeRecord, JournalLine } from './event.js';
import { JournalError, journalError } from './journal-error.js';
import { lockFolder, whileLocked } from './journal-lock.js';
import { readJournal, openRecordedExchanges, type RecordedExchanges } from './read-journal.js';
import { writtenJson } from '../json/json.js';

/** The name of the journal in a run folder. */
export const journalName = 'journal.jsonl';

/** Whether a folder holds the journal of a run, in whichever form. */
export function hasJournal(folder: string): boolean {
  const file = join(folder, journalName);
  return existsSync(file) || isCompressed(file);
}

/** Compresses the journal of a run that has ended. Rejects with a JournalError, which leaves the journal as it was. */
export async function compressJournal(folder: string): Promise<void> {
  const file = join(folder, journalName);
  await whileLocked(folder, async () => {
    if (existsSync(file)) await compressFile(file);
  }).catch((error: unknown) => {
    throw journalError(error, file);
  });
}

/** The journal of a run in progress. */
export interface Journal {
  /**
   * Resolves once the line has left the process, so that a kill cannot lose it. Rejects with a JournalError.
   * @param durable brings the line to the disk soon, so that a power cut cannot lose it either; default: true
   */
  append(line: JournalLine, durable?: boolean): Promise<void>;
  /**
   * Closes the file and releases the folder. Rejects with a JournalError if what was appended may not be on the disk.
   */
  close(): Promise<void>;
}

type AppendFile = Awaited<ReturnType<typeof openFile>>;

/**
 * `ax` rejects with EEXIST when the file exists. Tests open a file that behaves like one on a full or a read-only disk.
 */
export async function openFile(file: string, flags: 'a' | 'ax') {
  const handle = await open(file, flags);
  return {
    /** Returns once the text has left the process. */
    append: (text: string): void => appendFileSync(handle.fd, text),
    /** Resolves once what was appended would survive a power cut. */
    sync: () => handle.datasync(),
    truncate: (length: number) => handle.truncate(length),
    close: () => handle.close(),
  };
}

/** A journal in a folder that has none yet. Rejects with a JournalError. */
export async function createJournal(folder: string, openIt = openFile): Promise<Journal> {
  const file = join(folder, journalName);
  await makeFolder(folder).catch((error: unknown) => {
    throw journalError(error, folder);
  });
  return lockedUntilClosed(folder, async (release) => {
    if (!hasJournal(folder)) return journalOver(await openIt(file, 'ax'), file, release);
    const message = `${folder} already holds a run; resume it, or choose another folder`;
    throw new JournalError('exists', message, { resumable: true });
  });
}

/**
 * The journal of an earlier run of the same plan, ready to be continued: a torn last line and the line that marks the
 * run as finished are cut off. Rejects with a JournalError, also for the journal of another plan.
 */
export async function resumeJournal(
  folder: string,
  plan: string,
): Promise<{ readonly journal: Journal; readonly recorded: RecordedExchanges }> {
  const file = join(folder, journalName);
  return lockedUntilClosed(folder, async (release) => {
    const recorded = await openRecordedExchanges(file, { matchBodies: false });
    if (recorded.started !== null && recorded.started.plan !== plan) {
      throw new JournalError(
        'other_plan',
        `${folder} holds a run with a different plan (config, suites or options have changed); choose another folder`,
      );
    }
    if (isCompressed(file)) await inflateFile(file);
    const into = await openFile(file, 'a');
    await into.truncate(recorded.resumeAt);
    return { journal: journalOver(into, file, release), recorded };
  });
}

/** Opens something that releases the folder when it is closed. */
async function lockedUntilClosed<T>(folder: string, openIt: (release: () => Promise<void>) => Promise<T>): Promise<T> {
  const release = await lockFolder(folder);
  try {
    return await openIt(release);
  } catch (error) {
    await release().catch(() => undefined);
    throw journalError(error, folder);
  }
}

/**
 * Lines that are appended in one turn of the event loop leave the process together. Nobody waits for the disk but the
 * closing: what is written while it syncs shares the next sync.
 */
function journalOver(into: AppendFile, file: string, release: () => Promise<void>): Journal {
  let texts: string[] = [];
  /** Of these texts; null: there are none. */
  let written: Promise<void> | null = null;
  let isDurable = false;
  let syncs: Promise<unknown> = Promise.resolve();
  let syncIsNext = false;
  /** After a failed write the file may end in a torn line, so nothing more may be written. */
  let failed = null as JournalError | null;
  const fail = (error: unknown): JournalError => (failed ??= journalError(error, file));
  const sync = (): Promise<void> => {
    syncIsNext = false;
    return into.sync();
  };
  const write = (): void => {
    const text = texts.join('');
    texts = [];
    written = null;
    if (failed !== null) throw failed;
    try {
      into.append(text);
    } catch (error) {
      throw fail(error);
    }
    if (isDurable && !syncIsNext) {
      syncIsNext = true;
      syncs = syncs.then(sync).catch(fail);
    }
    isDurable = false;
  };
  return {
    append(line, durable = true) {
      if (failed !== null) return Promise.reject(failed);
      texts.push(`${writtenJson(line)}\n`);
      isDurable ||= durable;
      return (written ??= nextTurn().then(write));
    },
    async close() {
      await written?.catch(fail);
      await syncs;
      await into.close().finally(release);
      if (failed !== null) throw failed;
    },
  };
}

/** Finds exchanges by id, in the order of the journal. Leaves out ids that are not there. */
export type FindExchanges = (ids: ReadonlySet<string>) => AsyncIterable<ExchangeRecord>;

/** Looks exchanges up in a run folder's journal, read line by line. */
export function exchangesIn(folder: string): FindExchanges {
  return async function* (ids) {
    if (ids.size === 0) return;
    for await (const line of readJournal(join(folder, journalName), ids)) {
      if (line.type === 'exchange') yield line;
    }
  };
}
