import { readFileSync } from 'node:fs';
import { readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { unfinishedName } from '../files/write-whole.js';
import { JournalError, journalError } from './journal-error.js';
import { parsedJson, writtenJson } from '../json/json.js';

/** The process that writes into a run folder, as its lock names it. */
interface Holder {
  readonly host: string;
  readonly pid: number;
  /** Distinguishes a process from a later one with the same id; empty where the system does not tell. */
  readonly started: string;
}

const lockIn = (folder: string): string => join(folder, 'journal.lock');

/** Locks a run folder; resolves with what releases it. Rejects with a JournalError, also if the folder is in use. */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const file = lockIn(folder);
  try {
    if (!(await tryLock(file))) {
      await removeLeft(folder, file);
      if (!(await tryLock(file))) throw inUse(folder, file, null);
    }
  } catch (error) {
    throw journalError(error, folder);
  }
  return () => rm(file, { force: true });
}

/** Does something with a run folder that is locked until it is done. Rejects as `lockFolder` and the task do. */
export async function whileLocked<T>(folder: string, task: () => Promise<T>): Promise<T> {
  const release = await lockFolder(folder);
  try {
    return await task();
  } finally {
    await release();
  }
}

/** Milliseconds between two tries to lock a file, and tries. */
const lockPause = 50;
const mostLockTries = 400;

/**
 * Reads and writes a file that others may write at the same moment: each waits for the one before it. Rejects with a
 * JournalError when the file stays locked for 20 seconds.
 */
export async function whileFileLocked<T>(file: string, task: () => Promise<T>): Promise<T> {
  const target = await realpath(file).catch(() => file);
  const lock = `${target}.lock`;
  for (let tries = 1; ; tries += 1) {
    try {
      if (await tryLock(lock)) break;
      await removeLeft(target, lock);
    } catch (error) {
      const failure = journalError(error, lock);
      if (failure.reason !== 'in_use' || tries >= mostLockTries) throw failure;
      await setTimeout(lockPause);
    }
  }
  try {
    return await task();
  } finally {
    await rm(lock, { force: true });
  }
}

/** Whether a run is writing into this folder. Reads only; a folder without a lock, or none at all, is not in use. */
export async function isInUse(folder: string): Promise<boolean> {
  const text = await readFile(lockIn(folder), 'utf8').catch(() => null);
  return text !== null && mayLive(holderIn(text));
}

async function tryLock(file: string): Promise<boolean> {
  const me: Holder = { host: hostname(), pid: process.pid, started: processStartTime(process.pid) };
  try {
    await writeFile(file, `${writtenJson(me)}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST') return false;
    // A full disk may have taken the name and not the text.
    await rm(file, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Removes the lock of a process that has ended. Of two that find the same lock, one goes on. */
async function removeLeft(folder: string, file: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const holder = holderIn(text);
  const aside = unfinishedName(file);
  if (mayLive(holder)) throw inUse(folder, file, holder);
  await rename(file, aside).catch(() => {
    throw inUse(folder, file, null);
  });
  if ((await readFile(aside, 'utf8')) === text) return rm(aside);
  // The other one has locked the folder since.
  await rename(aside, file);
  throw inUse(folder, file, null);
}

/** null: the lock is being written, or a power cut has emptied it. */
function holderIn(text: string): Holder | null {
  try {
    const { host = '', pid = 0, started = '' } = parsedJson(text) as Partial<Holder>;
    return { host, pid, started };
  } catch {
    return null;
  }
}

/** @param locked a run folder, or a file that is being written */
function inUse(locked: string, lock: string, holder: Holder | null): JournalError {
  const here = holder?.host === hostname();
  const who = holder === null ? '' : ` (process ${holder.pid}${here ? '' : ` on ${holder.host}`})`;
  const isFolder = lock === lockIn(locked);
  const by = isFolder ? 'run' : 'process';
  const ended = here ? '' : `; if that ${by} has ended, remove ${lock}`;
  const message = `${locked} is in use by another ${by}${who}`;
  if (isFolder) return new JournalError('in_use', `${message}: wait for it, or choose another folder${ended}`);
  return new JournalError('in_use', message, { hint: `wait for it, and then do this again${ended}` });
}

/** Only a process of this machine is known to have ended. */
function mayLive(holder: Holder | null): boolean {
  if (holder?.host !== hostname()) return true;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM';
  }
  const started = processStartTime(holder.pid);
  return started === '' || holder.started === '' || started === holder.started;
}

/** When a process started, where the system shows it (Linux: field 22 of stat, counted after the name in brackets). */
function processStartTime(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
