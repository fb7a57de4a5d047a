import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { JournalError } from './journal-error.js';
import type { JournalFiles } from './journal-files.js';

interface Holder {
  readonly host: string;
  readonly pid: number;
  /** Tells a process from a later one that was given the same number. */
  readonly started: string;
}

/** Folders held by this very process: its own number says nothing about them. */
const heldHere = new Set<string>();

/** Takes the run folder for a process, which is this one; gives the function that lets it go. */
export async function lockFolder(
  folder: string,
  files: JournalFiles,
  pid: number = process.pid,
): Promise<() => Promise<void>> {
  const file = join(folder, 'journal.lock');
  const held = resolve(file);
  if (heldHere.has(held)) throw inUse(folder, pid);
  const me: Holder = { host: hostname(), pid, started: await startOf(pid) };
  if (!(await created(file, textOf(me), files))) await takeOver(folder, file, me, files);
  heldHere.add(held);
  return async () => {
    heldHere.delete(held);
    await files.remove(file);
  };
}

/**
 * Takes the lock of a run that is gone. Of several that find it at the same time only one may: a second would delete the
 * lock that the first has just made, and both would write. They agree by a lock of their own, held for a moment.
 */
async function takeOver(folder: string, file: string, me: Holder, files: JournalFiles): Promise<void> {
  const guard = `${file}.taken`;
  await createdOrFreed(folder, guard, me, files);
  try {
    // Looked at only now: what was there before may have been taken over meanwhile.
    await createdOrFreed(folder, file, me, files);
  } finally {
    await files.remove(guard);
  }
}

async function createdOrFreed(folder: string, file: string, me: Holder, files: JournalFiles): Promise<void> {
  if (await created(file, textOf(me), files)) return;
  const holder = holderIn(await files.readText(file).catch(() => ''));
  if (holder !== null && (await lives(holder, me))) throw inUse(folder, holder.pid, holder.host);
  await files.remove(file);
  if (!(await created(file, textOf(me), files)))
    throw new JournalError('in_use', `${folder} is in use by another run: wait for it, or name another folder (--out)`);
}

async function created(file: string, text: string, files: JournalFiles): Promise<boolean> {
  try {
    await files.createText(file, text);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
    return false;
  }
}

function textOf(holder: Holder): string {
  return `${JSON.stringify(holder)}\n`;
}

function inUse(folder: string, pid: number, host = hostname()): JournalError {
  const where = host === hostname() ? '' : ` on ${host}; if that machine is gone, delete journal.lock`;
  return new JournalError(
    'in_use',
    `${folder} is in use by another run (process ${pid}${where}): wait for it, or name another folder (--out)`,
  );
}

function holderIn(text: string): Holder | null {
  try {
    const holder = JSON.parse(text) as Partial<Holder> | null;
    if (typeof holder?.pid !== 'number' || typeof holder.host !== 'string') return null;
    return { host: holder.host, pid: holder.pid, started: holder.started ?? '' };
  } catch {
    return null;
  }
}

async function lives(holder: Holder, me: Holder): Promise<boolean> {
  if (holder.host !== me.host) return true;
  if (holder.pid === me.pid) return false;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM';
  }
  const started = await startOf(holder.pid);
  return started === '' || holder.started === '' || started === holder.started;
}

/** When a process was started, where the system tells (Linux: field 22 of its stat, after the name in brackets). */
async function startOf(pid: number): Promise<string> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
