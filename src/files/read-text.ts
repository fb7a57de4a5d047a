import { readFileSync, statSync, constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { problemAtSpot, type Problem } from './problems/problem.js';

/** Bytes. A larger suite or schema is a mistake, and parsing it would take too long. */
const largestFile = 5_000_000;

type TextFile =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly missing: boolean; readonly problem: Problem };

/**
 * Reads a UTF-8 text file of at most 5 MB; never throws: a failure is a problem. Synchronous, since suites are many
 * small files: through the thread pool they took 40 ms longer, in which a command had nothing else to do.
 */
export function readText(file: string): TextFile {
  try {
    // Checked before it is opened, since opening a named pipe would wait for a writer.
    const stats = statSync(file);
    if (stats.isDirectory()) return unreadableFile(file, 'this is a folder; a file is expected here');
    if (!stats.isFile()) return unreadableFile(file, 'this is not a regular file');
    if (stats.size > largestFile) {
      const size = (stats.size / 1e6).toFixed(1);
      return unreadableFile(file, `the file is ${size} MB; the limit is ${largestFile / 1e6} MB`);
    }
    return decoded(file, readFileSync(file));
  } catch (error) {
    return unreadable(file, error);
  }
}

function decoded(file: string, bytes: Uint8Array): TextFile {
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return unreadableFile(file, 'the file is not UTF-8 text', 'save it as UTF-8 in your editor');
  }
}

function unreadable(file: string, error: unknown): TextFile {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return { ...unreadableFile(file, 'there is no such file', 'check the path'), missing: true };
  }
  const reason = readErrorReasons[code] ?? `the file cannot be read (${code})`;
  return unreadableFile(file, reason);
}

const readErrorReasons: Readonly<Record<string, string>> = {
  EACCES: 'the file cannot be read: permission denied',
  EPERM: 'the file cannot be read: permission denied',
  ELOOP: 'the path contains a loop of symbolic links',
  ENAMETOOLONG: 'the path is too long',
  ERR_INVALID_ARG_VALUE: 'the path contains a character that paths cannot contain',
};

function unreadableFile(file: string, message: string, hint?: string): TextFile & { ok: false } {
  const place = { file, line: 1, column: 1 };
  return { ok: false, missing: false, problem: problemAtSpot({ place, text: '' }, message, hint) };
}

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
