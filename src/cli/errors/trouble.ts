import { JournalError, type JournalTrouble } from '../../journal/journal-error.js';
import { SecretInBody } from '../../transport/masking/secret-in-body.js';
import { exitCodes } from './exit-codes.js';
import { usageError } from '../options/usage-error.js';

/** What goes wrong outside of chatspec's code and of the user's files: run folders, disks, keys in bodies. */
export interface Trouble {
  readonly message: string;
  readonly exitCode: number;
}

const exitCodeOfFolder: Readonly<Record<JournalTrouble, number>> = {
  exists: exitCodes.usage,
  in_use: exitCodes.usage,
  other_plan: exitCodes.usage,
  missing: exitCodes.usage,
  damaged: exitCodes.usage,
  disk_full: exitCodes.unmeasured,
  read_only: exitCodes.unmeasured,
  other: exitCodes.unmeasured,
};

/** The trouble that an error tells of; null for a bug. */
export function troubleOf(error: unknown): Trouble | null {
  if (error instanceof JournalError) return { message: error.message, exitCode: exitCodeOfFolder[error.trouble] };
  if (error instanceof SecretInBody) return { message: error.message, exitCode: exitCodes.usage };
  return isSystemError(error) ? { message: error.message, exitCode: exitCodes.unmeasured } : null;
}

/** A run folder that cannot be opened (a file stands there, it may not be written to) is the wrong folder: exit code 2. */
export function beforeAnythingIsSent(error: unknown): unknown {
  if (!(error instanceof JournalError) || error.trouble === 'disk_full') return error;
  const unwritable = error.trouble === 'other' || error.trouble === 'read_only';
  return usageError(error.message, unwritable ? 'name another folder with --out' : undefined);
}

/** The operating system refused (a full disk, a file where a folder should be, a port that is taken). */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}
