import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { sweepUnfinished } from '../files/write-whole.js';
import { JournalError } from './journal-error.js';
import { type JournalFiles, journalFiles } from './journal-files.js';

interface Holder {
  readonly host: string;
  readonly pid: number;
  /** Distinguishes a process from a later one with the same id. */
  readonly started: string;
  /** Distinguishes this run from any other that held the folder. */
  readonly run: string;
}

/** Milliseconds between the signs of life of a run: its lock is written again. */
const signEvery = 10_000;

/** Milliseconds after which the lock of another host counts as left behind: a restarted container has another name. */
const silentFor = 60_000;

/** Folders that this process has locked, since its own process id in a lock file could be left by an earlier process. */
const heldHere = new Set<string>();

/** Milliseconds for which a run relies on holding its folder; far less than it takes before another may take it over. */
const trustFor = 1000;

/** The lock of a run folder. */
export interface FolderLock {
  /**
   * Rejects with a JournalError if another run has the folder now, because this process was suspended for so long that it
   * was taken for dead. Call it before each write.
   */
  readonly check: () => Promise<void>;
  readonly release: () => Promise<void>;
}

/** Locks a run folder for this process (tests pass another process id). Rejects with a JournalError if it is in use. */
export async function lockFolder(folder: string, files: JournalFiles, pid: number = process.pid): Promise<FolderLock> {
  const file = join(folder, 'journal.lock');
  const held = resolve(file);
  if (heldHere.has(held)) throw inUse(folder, pid);
  const me: Holder = { host: hostname(), pid, started: await startTime(pid), run: randomUUID() };
  if (!(await tryCreate(file, lockText(me), files))) await takeOver(folder, file, me, files);
  heldHere.add(held);
  for (const name of [file, `${file}.taken`]) await sweepUnfinished(name);
  const timer = setInterval(() => void showLife(file, me, files), signEvery);
  timer.unref();
  let seenAt = Date.now();
  return {
    async check() {
      if (Math.abs(Date.now() - seenAt) < trustFor) return;
      // A lock that someone deleted is free to take.
      if (!(await isMine(file, me, files)) && !(await tryCreate(file, lockText(me), files).catch(() => false))) {
        const message = `${folder} was taken over by another run while this one was suspended, so nothing more is written`;
        throw new JournalError('taken_over', message);
      }
      seenAt = Date.now();
    },
    async release() {
      clearInterval(timer);
      heldHere.delete(held);
      if (await isMine(file, me, files)) await files.remove(file);
    },
  };
}

/** Whether a run is writing into this folder. Reads only; a folder without a lock, or none at all, is not in use. */
export async function isInUse(folder: string, files: JournalFiles = journalFiles): Promise<boolean> {
  const file = join(folder, 'journal.lock');
  const holder = readHolder(await files.readText(file).catch(() => ''));
  const me = { host: hostname(), pid: process.pid, started: '', run: '' };
  return heldHere.has(resolve(file)) || (holder !== null && (await isAlive(holder, me, () => files.ageOf(file))));
}

/** Another run may have taken the lock over while this process was suspended: then the lock is left to it. */
async function showLife(file: string, me: Holder, files: JournalFiles): Promise<void> {
  if (await isMine(file, me, files)) await files.rewrite(file, lockText(me)).catch(() => undefined);
}

async function isMine(file: string, me: Holder, files: JournalFiles): Promise<boolean> {
  return readHolder(await files.readText(file).catch(() => ''))?.run === me.run;
}

/**
 * Takes over the lock of a run whose process has ended. Only one process may do that at a time: a second one would
 * delete the lock that the first has just created, and both would write. A second, short-lived lock prevents that.
 */
async function takeOver(folder: string, file: string, me: Holder, files: JournalFiles): Promise<void> {
  const guard = `${file}.taken`;
  await createUnlessHeld(folder, guard, me, files);
  try {
    // Read again, since another process may have taken it over in the meantime.
    await createUnlessHeld(folder, file, me, files);
  } finally {
    await files.remove(guard);
  }
}

async function createUnlessHeld(folder: string, file: string, me: Holder, files: JournalFiles): Promise<void> {
  if (await tryCreate(file, lockText(me), files)) return;
  const holder = readHolder(await files.readText(file).catch(() => ''));
  if (holder !== null && (await isAlive(holder, me, () => files.ageOf(file))))
    throw inUse(folder, holder.pid, holder.host);
  await files.remove(file);
  if (!(await tryCreate(file, lockText(me), files)))
    throw new JournalError('in_use', `${folder} is in use by another run: wait for it, or choose another folder`);
}

async function tryCreate(file: string, text: string, files: JournalFiles): Promise<boolean> {
  try {
    await files.createText(file, text);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
    return false;
  }
}

function lockText(holder: Holder): string {
  return `${JSON.stringify(holder)}\n`;
}

function inUse(folder: string, pid: number, host: string = hostname()): JournalError {
  const wait = `try again in ${silentFor / 1000} seconds`;
  const where = host === hostname() ? '' : ` on ${host}; if that machine is gone, ${wait}`;
  return new JournalError(
    'in_use',
    `${folder} is in use by another run (process ${pid}${where}): wait for it, or choose another folder`,
  );
}

function readHolder(text: string): Holder | null {
  try {
    const holder = JSON.parse(text) as Partial<Holder> | null;
    if (typeof holder?.pid !== 'number' || typeof holder.host !== 'string') return null;
    return { host: holder.host, pid: holder.pid, started: holder.started ?? '', run: holder.run ?? '' };
  } catch {
    return null;
  }
}

async function isAlive(holder: Holder, me: Holder, age: () => Promise<number>): Promise<boolean> {
  if (holder.host !== me.host) return (await age()) < silentFor;
  if (holder.pid === me.pid) return false;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM';
  }
  const started = await startTime(holder.pid);
  return started === '' || holder.started === '' || started === holder.started;
}

/** When a process started, where the system shows it (Linux: field 22 of stat, counted after the name in brackets). */
async function startTime(pid: number): Promise<string> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
