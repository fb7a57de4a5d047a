import { constants } from 'node:fs';
import { access, lstat, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '../../files/make-folder.js';
import { unfitFolder } from '../../files/unfit-folder.js';
import type { FileFormat } from '../../report/render.js';
import { userError } from '../../files/problems/problem.js';
import { textOf } from '../options/options.js';
import type { Io } from '../terminal/io.js';
import type { Options } from '../verb.js';

/** The file operations behind {@link writableFolder}; tests replace them. */
export interface MakeFolder {
  readonly make: (folder: string) => Promise<unknown>;
  readonly checkWritable: (folder: string) => Promise<unknown>;
}

const onDisk: MakeFolder = {
  make: makeFolder,
  checkWritable: (folder) => access(folder, constants.W_OK | constants.X_OK),
};

/** Before anything else is done: throws a UserError if `--out`, or another option, names what can be no folder of reports. */
export async function checkOut(options: Options, io: Io, option: 'out' | 'site' = 'out'): Promise<void> {
  const asked = textOf(options, option);
  if (asked === undefined) return;
  const folder = resolve(io.cwd, asked);
  const unfit = await unfitFolder(folder);
  if (unfit === null) return;
  const why = unfit.path === folder ? `it is ${unfit.is}` : 'part of the path is a file';
  throw userError(`cannot write to ${folder}: ${why}`, `name another folder with --${option}`);
}

/** Makes the folder if it is missing, and checks that files can be written to it. Throws a UserError that names the path. */
export async function writableFolder(folder: string, files: MakeFolder = onDisk): Promise<void> {
  try {
    await files.make(folder);
    await files.checkWritable(folder);
  } catch (error) {
    throw unwritable(error, folder);
  }
}

/**
 * Throws what {@link writableFolder} would, and makes nothing: for work that may still fail and shall leave no empty
 * folder behind.
 */
export async function possibleFolder(folder: string): Promise<void> {
  const first = await makeFolder(folder).catch((error: unknown) => {
    throw unwritable(error, folder);
  });
  await writableFolder(folder);
  for (let made = folder; first !== undefined && made.startsWith(first); made = dirname(made)) {
    await rmdir(made).catch(() => undefined);
  }
}

/**
 * Before a run is paid for: throws a UserError if a folder has the name of a file that is to be written there in the end.
 * @param folder may be missing
 */
export async function checkNames(folder: string, formats: readonly FileFormat[]): Promise<void> {
  for (const path of formats.map(({ file }) => join(folder, file))) {
    const found = await lstat(path).catch(() => null);
    if (found?.isDirectory() ?? false) throw unwritable({ code: 'EISDIR' }, path);
  }
}

const reasons: Readonly<Record<string, string>> = {
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

/** Turns the refusal to write to a path into a UserError, since another path may work; returns any other error as it is. */
export function unwritable(error: unknown, path: string): unknown {
  const reason = reasons[(error as { code?: string }).code ?? ''];
  return reason === undefined ? error : userError(`cannot write to ${path}: ${reason}`, 'choose another path');
}
