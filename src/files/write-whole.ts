import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';

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
