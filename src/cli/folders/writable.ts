import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { userError } from '../../files/problems/problem.js';

/** How a folder is made ready; given in tests to refuse. */
export interface MakeFolder {
  readonly make: (folder: string) => Promise<unknown>;
  readonly checkWritable: (folder: string) => Promise<unknown>;
}

const onDisk: MakeFolder = {
  make: (folder) => mkdir(folder, { recursive: true }),
  checkWritable: (folder) => access(folder, constants.W_OK | constants.X_OK),
};

/** A folder that files can be written to, made where it is missing. Throws a UserError that names the path. */
export async function writableFolder(folder: string, files: MakeFolder = onDisk): Promise<void> {
  try {
    await files.make(folder);
    await files.checkWritable(folder);
  } catch (error) {
    throw unwritable(error, folder);
  }
}

const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'a file stands there',
  ENOTDIR: 'a part of the path is a file',
  EISDIR: 'a folder stands there',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOENT: 'its folder does not exist',
  ENAMETOOLONG: 'the path is too long',
  ELOOP: 'the path runs in a circle of symbolic links',
};

/** The refusal to write to a path, as one that the user can mend by naming another; any other error as it came. */
export function unwritable(error: unknown, path: string): unknown {
  const reason = reasons[(error as { code?: string }).code ?? ''];
  return reason === undefined ? error : userError(`${path} cannot be written to: ${reason}`, 'name another place');
}
