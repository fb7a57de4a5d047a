import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/** Opens a file to read it. Rejects for a pipe, a socket or a device, which may give nothing, or never end. */
export async function openRegular(file: string): Promise<FileHandle> {
  // Without the flag the opening of a pipe waits for a writer.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = await handle.stat();
    if (found.isFile()) return handle;
    throw found.isDirectory()
      ? Object.assign(new Error('it is a folder'), { code: 'EISDIR' })
      : new Error('it is a pipe or a device, and no file');
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The text of a file, in UTF-8. Rejects as {@link openRegular} does. */
export async function readRegular(file: string): Promise<string> {
  const handle = await openRegular(file);
  try {
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}
