import { relative } from 'node:path';
import { userError } from '../../files/problems/problem.js';
import type { Io } from '../terminal/io.js';

/** A path as people would write it: relative if that is shorter. */
export function displayPath(path: string, io: Io): string {
  const shorter = relative(io.cwd, path);
  return shorter !== '' && shorter.length < path.length ? shorter : path;
}

const writeErrorReasons: Readonly<Record<string, string>> = {
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

/**
 * Turns the refusal to write to a path into a UserError, since another path may work; returns any other error as it is,
 * and with the path, which the system does not name where a disk is full.
 */
export function asUnwritableError(error: unknown, path: string): unknown {
  const reason = writeErrorReasons[(error as { code?: string }).code ?? ''];
  if (reason !== undefined) return userError(`cannot write to ${path}: ${reason}`, 'choose another path');
  if (error instanceof Error && 'syscall' in error && !('path' in error)) {
    error.message = `cannot write to ${path}: ${error.message}`;
  }
  return error;
}

/** The same for what is being written. */
export async function writingTo(path: string, work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    throw asUnwritableError(error, path);
  });
}
