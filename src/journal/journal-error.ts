import { ChatspecError, type ErrorDetails } from '../errors/chatspec-error.js';

/** What is wrong with a run folder. */
export type JournalTrouble =
  'exists' | 'in_use' | 'other_plan' | 'missing' | 'damaged' | 'disk_full' | 'read_only' | 'other';

/** The journal cannot be written or read. Nothing was overwritten. */
export class JournalError extends ChatspecError {
  readonly kind = 'journal';
  constructor(
    readonly trouble: JournalTrouble,
    message: string,
    details?: ErrorDetails,
  ) {
    super(message, details);
  }
}

const troubleOf: Record<string, JournalTrouble> = {
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  EROFS: 'read_only',
  EACCES: 'read_only',
  EPERM: 'read_only',
  ENOENT: 'missing',
};

const said: Partial<Record<JournalTrouble, string>> = {
  disk_full: 'the disk is full; what was written before is whole, and --resume goes on from there',
  read_only: 'it may not be written to',
  missing: 'it does not exist',
};

const inTheWay: Readonly<Record<string, string>> = {
  EEXIST: 'a file stands where the run folder should be',
  ENOTDIR: 'a part of the path is a file',
  EISDIR: 'a folder stands where the journal should be',
};

/** The error of a file operation, as one about the run folder. */
export function journalError(error: unknown, file: string): JournalError {
  if (error instanceof JournalError) return error;
  const { code, message } = error as { code?: string; message?: string };
  const trouble = troubleOf[code ?? ''] ?? 'other';
  const why = said[trouble] ?? inTheWay[code ?? ''] ?? message ?? String(error);
  return new JournalError(trouble, `${file}: ${why}`, { cause: error });
}
