import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm, stat, unlink, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { openRegular } from '../files/regular-file.js';
import { sweepUnfinished, unfinishedName } from '../files/write-whole.js';
import { JournalError } from './journal-error.js';

/** The name of a journal that was compressed. Where both are there, the other one counts. */
export const compressedName = (file: string): string => `${file}.gz`;

/**
 * What a file of gzip may hold: a small one can hold more than any disk. A line of a journal has an id and times of its own,
 * so no honest one shrinks to a four hundredth, except by answers that are hardly more than blanks.
 */
const bounds = { times: 400, atLeast: 1_000_000_000 };

const isMissing = (error: unknown): boolean => (error as { code?: string }).code === 'ENOENT';

/** What one journal holds, whether it is compressed or not: opens one of the two, or throws as opening the first does. */
export async function eitherOf<Result>(
  file: string,
  plain: (file: string) => Promise<Result>,
  compressed: (file: string) => Promise<Result>,
): Promise<Result> {
  try {
    return await plain(file);
  } catch (error) {
    if (!isMissing(error)) throw error;
    return compressed(compressedName(file)).catch((other: unknown) => {
      throw isMissing(other) ? error : other;
    });
  }
}

/** The bytes of a compressed journal, in pieces. Throws a JournalError for one that is cut, damaged or a bomb. */
export async function* inflated(file: string, bound = bounds): AsyncGenerator<Buffer> {
  const handle = await openRegular(file);
  const { size } = await handle.stat().finally(() => handle.close());
  const most = Math.max(bound.atLeast, bound.times * size);
  const gunzip = createGunzip();
  const source = createReadStream(file);
  source.once('error', (error) => gunzip.destroy(error));
  source.pipe(gunzip);
  let length = 0;
  try {
    for await (const bytes of gunzip as AsyncIterable<Buffer>) {
      length += bytes.length;
      if (length > most) {
        throw new JournalError('damaged', `${file} holds more than chatspec ever compresses: it is not read further`);
      }
      yield bytes;
    }
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string };
    if (!code.startsWith('Z_')) throw error;
    throw new JournalError('damaged', `${file} is damaged: ${message}`, { cause: error });
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}

/** A compressed journal in which any place can be read: written out into a file without a name, which ends with the handle. */
export async function openInflated(file: string): Promise<FileHandle> {
  const bytes = inflated(file);
  const first = await bytes.next();
  const path = join(tmpdir(), `chatspec-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    if (first.done !== true) await handle.appendFile(first.value);
    for await (const piece of bytes) await handle.appendFile(piece);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Replaces a journal by the compressed one. A kill leaves one of them or both. Rejects with what the file system throws, and
 * with a JournalError where the result would not be read again.
 */
export async function compressFile(file: string): Promise<void> {
  const packed = compressedName(file);
  await writeThrough(() => createReadStream(file), packed, createGzip());
  try {
    let length = 0;
    for await (const bytes of inflated(packed)) length += bytes.length;
    if (length !== (await stat(file)).size) throw new JournalError('other', `${packed} does not hold all of ${file}`);
  } catch (error) {
    await rm(packed, { force: true });
    throw error;
  }
  await rm(file);
}

/** The reverse: a run is continued in a journal that can be appended to. */
export async function inflateFile(file: string): Promise<void> {
  await writeThrough(() => inflated(compressedName(file)), file);
  await rm(compressedName(file));
}

/** The source is opened only when something listens: a stream whose error nobody hears ends the process. */
async function writeThrough(
  openSource: () => AsyncIterable<Buffer>,
  file: string,
  through: ReturnType<typeof createGzip> | null = null,
): Promise<void> {
  await sweepUnfinished(file);
  const unfinished = unfinishedName(file);
  try {
    const into = createWriteStream(unfinished, { flags: 'wx', flush: true });
    if (through === null) await pipeline(openSource(), into);
    else await pipeline(openSource(), through, into);
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
