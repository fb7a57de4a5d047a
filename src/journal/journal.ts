import { join } from 'node:path';
import type { JournalLine } from './event.js';
import { JournalError, journalError } from './journal-error.js';
import { journalFiles, type AppendFile, type JournalFiles } from './journal-files.js';
import { lockFolder } from './journal-lock.js';
import { recordedIn, type Recorded } from './recorded-run.js';

export const journalName = 'journal.jsonl';

/** The journal of the run that is on. */
export interface Journal {
  /**
   * Resolves when the line has left the process, so that a kill cannot lose it. Rejects with a JournalError.
   * @param durable wait until it would survive a power cut, too; the default
   */
  append(line: JournalLine, durable?: boolean): Promise<void>;
  /** Closes the file and lets the folder go. */
  close(): Promise<void>;
}

/** A journal in a folder that has none yet. */
export async function createJournal(folder: string, files: JournalFiles = journalFiles): Promise<Journal> {
  const file = join(folder, journalName);
  await files.makeFolder(folder).catch((error: unknown) => {
    throw journalError(error, folder);
  });
  return inLockedFolder(folder, files, async (unlock) => {
    try {
      return journalOver(await files.openAppend(file, true), file, unlock);
    } catch (error) {
      if ((error as { code?: string }).code !== 'EEXIST') throw error;
      throw new JournalError('exists', `${folder} already holds a run; --resume goes on with it, --out names another`);
    }
  });
}

/**
 * The journal of an earlier run of the same plan, ready to go on: a torn last line and the line that says the run had
 * finished are cut off. Refuses a journal of another plan.
 */
export async function resumeJournal(
  folder: string,
  plan: string,
  files: JournalFiles = journalFiles,
): Promise<{ readonly journal: Journal; readonly recorded: Recorded }> {
  const file = join(folder, journalName);
  return inLockedFolder(folder, files, async (unlock) => {
    const recorded = await recordedIn(file, { matchBodies: false }, files);
    if (recorded.started !== null && recorded.started.plan !== plan) {
      await recorded.close();
      throw new JournalError(
        'other_plan',
        `${folder} holds a run of another plan (config, suites or options have changed); --out names another folder`,
      );
    }
    const append = await files.openAppend(file, false);
    await append.truncate(recorded.resumeAt);
    return { journal: journalOver(append, file, unlock), recorded };
  });
}

async function inLockedFolder<T>(
  folder: string,
  files: JournalFiles,
  task: (unlock: () => Promise<void>) => Promise<T>,
): Promise<T> {
  let unlock: (() => Promise<void>) | null = null;
  try {
    unlock = await lockFolder(folder, files);
    return await task(unlock);
  } catch (error) {
    await unlock?.().catch(() => undefined);
    throw journalError(error, folder);
  }
}

/** Lines that come while others are being written go to disk together, with one sync. */
function journalOver(into: AppendFile, file: string, unlock: () => Promise<void>): Journal {
  let next: { text: string; durable: boolean; written: Promise<void> } | null = null;
  let writing: Promise<void> = Promise.resolve();
  /** After a failed write the file may end in a torn line, and nothing may follow it. */
  let broken: JournalError | null = null;

  const write = async (text: string, durable: boolean): Promise<void> => {
    if (broken !== null) throw broken;
    try {
      await into.append(text);
      if (durable) await into.sync();
    } catch (error) {
      broken = journalError(error, file);
      throw broken;
    }
  };

  return {
    append(line, durable = true) {
      const text = `${JSON.stringify(line)}\n`;
      if (next !== null) {
        next.text += text;
        next.durable ||= durable;
        return next.written;
      }
      const batch = { text, durable, written: Promise.resolve() };
      batch.written = writing.then(() => {
        next = null;
        return write(batch.text, batch.durable);
      });
      next = batch;
      writing = batch.written.catch(() => undefined);
      return batch.written;
    },
    async close() {
      await writing;
      try {
        await into.close();
      } finally {
        await unlock();
      }
    },
  };
}
