import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm, unlink, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline as joined, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip, type Gunzip, type Gzip } from 'node:zlib';
import { openRegular } from '../files/read-text.js';
import { unfinishedName } from '../files/write-whole.js';

/** The name of a journal that was compressed. Where both are there, the other one counts. */
export const compressedName = (file: string): string => `${file}.gz`;

export function isCompressed(file: string): boolean {
  return !existsSync(file) && existsSync(compressedName(file));
}

/** The file in which a journal really is, for messages about it. */
export const nameOnDisk = (file: string): string => (isCompressed(file) ? compressedName(file) : file);

/**
 * The bytes of a journal, compressed or not. Throws errors of the file system and of gzip. The file is read and closed
 * here: a stream of a handle that is given up early may close the number of a file that was opened since.
 */
export async function* fileBytes(file: string): AsyncGenerator<Buffer> {
  const packed = isCompressed(file);
  const handle = await openRegular(nameOnDisk(file));
  try {
    const pieces = filePieces(handle);
    yield* (packed ? joined(Readable.from(pieces), createGunzip(), () => undefined) : pieces) as AsyncIterable<Buffer>;
  } finally {
    await handle.close();
  }
}

async function* filePieces(handle: FileHandle): AsyncGenerator<Buffer> {
  for (let position = 0; ;) {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(256 * 1024), 0, null, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/**
 * Opens a journal for reading at any place. A compressed one is written out into a file without a name, which ends with
 * the handle.
 */
export async function openForReading(file: string): Promise<FileHandle> {
  if (!isCompressed(file)) return openRegular(file);
  const path = join(tmpdir(), `chatspec-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    for await (const piece of fileBytes(file)) await handle.appendFile(piece);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Replaces a journal by the compressed one. A kill leaves one of them or both. */
export const compressFile = (file: string): Promise<void> => replace(file, createGzip(), compressedName(file));

/** The reverse: a run is continued in a journal that can be appended to. */
export const inflateFile = (file: string): Promise<void> => replace(compressedName(file), createGunzip(), file);

async function replace(file: string, through: Gzip | Gunzip, fresh: string): Promise<void> {
  const unfinished = unfinishedName(fresh);
  try {
    await pipeline(createReadStream(file), through, createWriteStream(unfinished, { flags: 'wx', flush: true }));
    await rename(unfinished, fresh);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  await rm(file);
}
