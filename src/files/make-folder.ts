import { mkdir, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, parse, resolve } from 'node:path';

/**
 * Makes a folder and those above it; rejects with what the system throws. Node's own recursive mkdir never ends where a
 * file system denies that the folder above exists, as /proc does.
 */
export async function makeFolder(folder: string): Promise<void> {
  if (await isFolder(folder)) return;
  if (dirname(folder) !== folder) await makeFolder(dirname(folder));
  await mkdir(folder).catch(async (error: unknown) => {
    // Another process may have made it.
    if (!(await isFolder(folder))) throw error;
  });
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** A file where a folder should be, or a folder that nobody means. */
interface UnfitFolder {
  readonly path: string;
  readonly is: 'a file' | 'the root folder' | 'the home folder';
}

/**
 * Why files are surely not to be written into a folder of this name; null where they may be. The name itself, or what
 * stands above it, may be a file. Makes nothing, and leaves to the writing what only that can find.
 */
export async function unfitFolder(folder: string): Promise<UnfitFolder | null> {
  const path = resolve(folder);
  let there = path;
  let found = await stat(there).catch(() => null);
  while (found === null && dirname(there) !== there) {
    there = dirname(there);
    found = await stat(there).catch(() => null);
  }
  if (found?.isDirectory() === false) return { path: there, is: 'a file' };
  if (there !== path || found === null) return null;
  const real = await realpath(path).catch(() => path);
  if (parse(real).root === real) return { path, is: 'the root folder' };
  const home = homedir();
  return real === (await realpath(home).catch(() => home)) ? { path, is: 'the home folder' } : null;
}
