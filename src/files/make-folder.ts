import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

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
