import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

/** A temporary folder for all tests of a file, removed after the last. */
export async function lastingFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'chatspec-'));
  folders.push(folder);
  return folder;
}
