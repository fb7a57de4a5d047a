import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { userError } from './problems/problem.js';

/** A name beside the file for what is not finished yet. */
export function unfinishedName(file: string): string {
  return `${file}.${randomUUID().slice(0, 8)}.tmp`;
}

/**
 * Writes a file that appears complete or not at all, and stays after a power cut. A symbolic link with its name is
 * replaced, not followed. Rejects with what the file system or the pieces throw.
 */
export async function writeWhole(file: string, pieces: string | AsyncIterable<string>): Promise<void> {
  const unfinished = unfinishedName(file);
  try {
    const handle = await open(unfinished, 'wx');
    try {
      if (typeof pieces === 'string') {
        await handle.appendFile(pieces);
      } else {
        for await (const batch of batchesOf(pieces)) await handle.appendFile(batch);
      }
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

const writeErrorReasons: Readonly<Record<string, string>> = {
  EEXIST: 'it is a file, or a link that leads nowhere',
  ENOTDIR: 'part of the path is a file',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOENT: 'its folder does not exist',
  ENAMETOOLONG: 'the path is too long',
  ELOOP: 'the path contains a loop of symbolic links',
};

/**
 * Turns the refusal to write to a path into a UserError, since another path may work; returns any other error as it is,
 * and with the path, which the system does not name where a disk is full.
 */
export function asUnwritableError(error: unknown, path: string): unknown {
  const reason = writeErrorReasons[(error as { code?: string }).code ?? ''];
  if (reason !== undefined) return userError(`cannot write to ${path}: ${reason}`, 'choose another path');
  if (error instanceof Error && 'syscall' in error && !('path' in error)) {
    error.message = `cannot write to ${path}: ${error.message}`;
  }
  return error;
}

/** The same for what is being written. */
export async function writingTo(path: string, work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    throw asUnwritableError(error, path);
  });
}
