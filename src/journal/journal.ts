import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as eventLoopTurned } from 'node:timers/promises';
import type { JournalLine } from './event.js';
import { JournalError, journalError } from './journal-error.js';
import { journalFiles, type AppendFile, type JournalFiles } from './journal-files.js';
import { lockFolder, type FolderLock } from './journal-lock.js';
import { sweepUnfinished, unfinishedName } from '../files/write-whole.js';
import { readJournal } from './read-journal.js';
import { compressedName, compressFile, inflateFile } from './compressed.js';
import { openRecordedExchanges, type RecordedExchanges } from './recorded-exchanges.js';
import { pathOf } from '../options/arguments.js';
import { checkFirst } from '../options/first-argument.js';

/** The name of the journal in a run folder. */
export const journalName = 'journal.jsonl';

/** Whether a folder holds the journal of a run, in whichever form. */
export function hasJournal(folder: string): boolean {
  const file = join(folder, journalName);
  return existsSync(file) || isCompressed(file);
}

function isCompressed(file: string): boolean {
  return !existsSync(file) && existsSync(compressedName(file));
}

/**
 * Compresses the journal of a run that has ended; every reader takes both forms. Rejects with a JournalError, which leaves
 * the journal as it was.
 */
export async function compressJournal(folder: string, files: JournalFiles = journalFiles): Promise<void> {
  const lock = await inLockedFolder(folder, files, (held) => Promise.resolve(held));
  const file = join(folder, journalName);
  try {
    if (existsSync(file)) await compressFile(file);
  } catch (error) {
    throw journalError(error, file);
  } finally {
    await lock.release();
  }
}

/** The journal of a run in progress. */
export interface Journal {
  /**
   * Resolves once the line has left the process, so that a kill cannot lose it. Rejects with a JournalError.
   * @param durable brings the line to the disk at once, so that a power cut cannot lose it either; default: true. What
   *   is appended meanwhile waits for that, and so does `close`.
   */
  append(line: JournalLine, durable?: boolean): Promise<void>;
  /** Closes the file and releases the folder. Rejects with a JournalError if what was appended may not be on the disk. */
  close(): Promise<void>;
}

/** A journal in a folder that has none yet. Rejects with a JournalError. */
export async function createJournal(folder: string, files: JournalFiles = journalFiles): Promise<Journal> {
  checkFirst('createJournal', folder, pathOf('a run folder'));
  const file = join(folder, journalName);
  await files.makeFolder(folder).catch((error: unknown) => {
    throw journalError(error, folder);
  });
  return inLockedFolder(folder, files, async (lock) => {
    try {
      if (isCompressed(file)) throw Object.assign(new Error('it is compressed'), { code: 'EEXIST' });
      return journalOver(await files.openAppend(file, true), file, lock);
    } catch (error) {
      if ((error as { code?: string }).code !== 'EEXIST') throw error;
      // To resume a merged run pays for what a shard holds that was not merged.
      const resumable = !(await isMerged(file, files));
      const way = resumable ? 'resume it, or ' : '';
      throw new JournalError('exists', `${folder} already holds a run; ${way}choose another folder`, { resumable });
    }
  });
}

/** A journal that takes its name only once it is whole. */
export interface DraftJournal extends Journal {
  /** The file to which it is written. */
  readonly file: string;
  /** Gives it the name of the folder's journal, replacing one that is there. It cannot be written any more. */
  finish(): Promise<void>;
  /** Removes what was not finished, and releases the folder. */
  close(): Promise<void>;
}

/** A journal beside the one that a folder may hold already. Sweeps those that a kill has left. Rejects with a JournalError. */
export async function draftJournal(folder: string, files: JournalFiles = journalFiles): Promise<DraftJournal> {
  const name = join(folder, journalName);
  await files.makeFolder(folder).catch((error: unknown) => {
    throw journalError(error, folder);
  });
  return inLockedFolder(folder, files, async (lock) => {
    await sweepUnfinished(name);
    const file = unfinishedName(name);
    const journal = journalOver(await files.openAppend(file, true), file, {
      check: lock.check,
      release: () => Promise.resolve(),
    });
    let open = true;
    const end = async (): Promise<void> => {
      if (open) await journal.close();
      open = false;
    };
    return {
      file,
      append: (line, durable) => journal.append(line, durable),
      async finish() {
        await end();
        await lock.check();
        await files.rename(file, name);
        await files.remove(compressedName(name));
      },
      async close() {
        try {
          await end();
          await files.remove(file);
        } finally {
          await lock.release();
        }
      },
    };
  });
}

async function isMerged(file: string, files: JournalFiles): Promise<boolean> {
  try {
    for await (const line of readJournal(file, files)) return line.type === 'run_started' && line.merged !== undefined;
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
  }
  return false;
}

/**
 * The journal of an earlier run of the same plan, ready to be continued: a torn last line and the line that marks the
 * run as finished are cut off. Rejects with a JournalError, also for the journal of another plan.
 */
export async function resumeJournal(
  folder: string,
  plan: string,
  files: JournalFiles = journalFiles,
): Promise<{ readonly journal: Journal; readonly recorded: RecordedExchanges }> {
  checkFirst('resumeJournal', folder, pathOf('a run folder'));
  const file = join(folder, journalName);
  return inLockedFolder(folder, files, async (lock) => {
    const recorded = await openRecordedExchanges(file, { matchBodies: false }, files);
    if (recorded.started !== null && recorded.started.plan !== plan) {
      await recorded.close();
      throw new JournalError(
        'other_plan',
        `${folder} holds a run with a different plan (config, suites or options have changed); choose another folder`,
      );
    }
    if (isCompressed(file)) await inflateFile(file);
    const append = await files.openAppend(file, false);
    await append.truncate(recorded.resumeAt);
    return { journal: journalOver(append, file, lock), recorded };
  });
}

async function inLockedFolder<T>(
  folder: string,
  files: JournalFiles,
  task: (lock: FolderLock) => Promise<T>,
): Promise<T> {
  let lock: FolderLock | null = null;
  try {
    lock = await lockFolder(folder, files);
    return await task(lock);
  } catch (error) {
    await lock?.release().catch(() => undefined);
    throw journalError(error, folder);
  }
}

/** Characters that are written at once: all lines that wait, as one text, could be longer than a text can be. */
const mostAtOnce = 1_000_000;

/** The lines as texts, made one after the other: a night's largest answers would fill the memory together. */
function* textsOf(lines: readonly JournalLine[]): Generator<string> {
  let text = '';
  for (const line of lines) {
    text += `${JSON.stringify(line)}\n`;
    if (text.length < mostAtOnce) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

interface Batch {
  readonly lines: JournalLine[];
  durable: boolean;
  written: Promise<void>;
}

/** Lines that arrive while others are synced, or in the same turn of the event loop, go to disk together, with one sync. */
function journalOver(into: AppendFile, file: string, lock: FolderLock): Journal {
  let next: Batch | null = null;
  /** Until another batch may be written. */
  let busy: Promise<void> = Promise.resolve();
  /** After a failed write the file may end in a torn line, so nothing more may be written. */
  let failed: JournalError | null = null;

  const attempt = async (task: () => Promise<void> | void): Promise<void> => {
    try {
      await task();
    } catch (error) {
      failed = journalError(error, file);
      throw failed;
    }
  };
  const write = async (lines: readonly JournalLine[]): Promise<void> => {
    for (const text of textsOf(lines)) {
      if (failed !== null) throw failed;
      await attempt(() => lock.check());
      await attempt(() => into.append(text));
    }
  };
  const sync = (): Promise<void> => attempt(() => into.sync());

  return {
    append(line, durable = true) {
      if (next !== null) {
        next.lines.push(line);
        next.durable ||= durable;
        return next.written;
      }
      const batch: Batch = { lines: [line], durable, written: Promise.resolve() };
      batch.written = busy.then(() => {
        next = null;
        return write(batch.lines);
      });
      next = batch;
      // Nobody waits for this but the next lines: the answers that were written free their slots meanwhile.
      busy = batch.written.then(() => (batch.durable ? sync() : eventLoopTurned())).catch(() => undefined);
      return batch.written;
    },
    async close() {
      await busy;
      try {
        await into.close();
      } finally {
        await lock.release();
      }
      // Nobody was told yet of a sync that failed after the last line.
      if (failed !== null) throw failed;
    },
  };
}
