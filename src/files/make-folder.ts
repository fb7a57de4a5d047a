import { mkdir, stat, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, parse, resolve } from 'node:path';

/**
 * Makes a folder and those above it. Node's own recursive mkdir never ends where a file system denies that the folder
 * above exists, as /proc does.
 * @returns the topmost folder that was made; undefined when it was there already. Rejects with what the system throws.
 */
export async function makeFolder(folder: string): Promise<string | undefined> {
  try {
    await mkdir(folder);
    return folder;
  } catch (error) {
    if (await isFolder(folder)) return undefined;
    const above = dirname(folder);
    if ((error as { code?: string }).code !== 'ENOENT' || above === folder) throw error;
    const first = await makeFolder(above);
    await mkdir(folder).catch(async (second: unknown) => {
      // Another process may have made it.
      if (!(await isFolder(folder))) throw second;
    });
    return first ?? folder;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** What stands where a folder should be, or a folder that nobody means. */
interface UnfitFolder {
  readonly path: string;
  readonly is: 'a file' | 'the root folder' | 'the home folder';
}

/**
 * Why files are surely not to be written into a folder of this name; null where they may be. The name itself, or what stands
 * above it, may be a file. Makes nothing, and leaves to the writing what only that can find.
 */
export async function unfitFolder(folder: string): Promise<UnfitFolder | null> {
  const path = resolve(folder);
  const found = await stat(path).catch(() => null);
  if (found === null) return parse(path).root === path ? null : fileAbove(dirname(path));
  if (!found.isDirectory()) return { path, is: 'a file' };
  const real = await realpath(path).catch(() => path);
  if (parse(real).root === real) return { path, is: 'the root folder' };
  const home = homedir();
  return real === (await realpath(home).catch(() => home)) ? { path, is: 'the home folder' } : null;
}

/** The nearest that is there; null if that is a folder. Several folders may have to be made. */
async function fileAbove(path: string): Promise<UnfitFolder | null> {
  const found = await stat(path).catch(() => null);
  if (found !== null) return found.isDirectory() ? null : { path, is: 'a file' };
  return parse(path).root === path ? null : fileAbove(dirname(path));
}
