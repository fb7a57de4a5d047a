import { createHash } from 'node:crypto';
import { lstat, open, readdir, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** Milliseconds after which an unfinished file of another machine is taken for one that a kill left. */
const longestWrite = 10 * 60_000;

const thisHost = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
let count = 0;

/** A name beside the file for what is not finished yet. It says who writes it, so that what a kill leaves is swept. */
export function unfinishedName(file: string): string {
  count += 1;
  return `${file}.${thisHost}-${process.pid}-${count}.tmp`;
}

/**
 * Writes a file that appears complete or not at all, and stays after a power cut. A symbolic link with its name is replaced,
 * not followed. Sweeps what kills have left of earlier attempts. Rejects with what the file system or the pieces throw.
 */
export async function writeWhole(file: string, pieces: string | AsyncIterable<string>): Promise<void> {
  await sweepUnfinished(file);
  const unfinished = unfinishedName(file);
  try {
    const handle = await open(unfinished, 'wx');
    try {
      if (typeof pieces === 'string') await handle.appendFile(pieces);
      else for await (const batch of batchesOf(pieces)) await handle.appendFile(batch);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

async function* batchesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let batch = '';
  for await (const piece of pieces) {
    batch += piece;
    if (batch.length < 100_000) continue;
    yield batch;
    batch = '';
  }
  yield batch;
}

/** Removes the unfinished files of this name whose writer has ended. What cannot be removed is left. */
export async function sweepUnfinished(file: string): Promise<void> {
  const folder = dirname(file);
  const begin = `${basename(file)}.`;
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names) {
    const writer = name.startsWith(begin) ? /^([0-9a-f]{8})-(\d+)-(\d+)\.tmp$/.exec(name.slice(begin.length)) : null;
    if (writer === null) continue;
    const path = join(folder, name);
    const [, host = '', pid = '', number = ''] = writer;
    if (await isOver(path, host, Number(pid), Number(number))) await rm(path, { force: true }).catch(() => undefined);
  }
}

async function isOver(path: string, host: string, pid: number, number: number): Promise<boolean> {
  if (host === thisHost && pid !== process.pid) return !isAlive(pid);
  // A number that this process has not given yet is that of an earlier process with the same id.
  if (host === thisHost && number > count) return true;
  const changed = await lstat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => Date.now(),
  );
  return Date.now() - changed > longestWrite;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM';
  }
}
