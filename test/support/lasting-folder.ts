import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterFile } from './after-file.js';

/** A temporary folder for all tests of a file, removed after the last. */
export async function lastingFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'chatspec-'));
  afterFile(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
