import { ChatspecError, type ErrorDetails } from '../errors/chatspec-error.js';

/** What is wrong with a run folder. */
export type JournalErrorReason =
  'exists' | 'in_use' | 'other_plan' | 'missing' | 'damaged' | 'disk_full' | 'read_only' | 'other';

export interface JournalErrorDetails extends ErrorDetails {
  readonly resumable?: boolean;
}

/** The journal cannot be written or read. Nothing was overwritten. */
export class JournalError extends ChatspecError {
  readonly kind = 'journal';
  /** The run of that folder can be resumed. */
  readonly resumable: boolean;
  constructor(
    readonly reason: JournalErrorReason,
    message: string,
    details: JournalErrorDetails = {},
  ) {
    super(message, details);
    this.resumable = details.resumable ?? false;
  }
}

/** By the code of a file system error. */
const reasons: Readonly<Record<string, JournalErrorReason>> = {
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  EROFS: 'read_only',
  EACCES: 'read_only',
  EPERM: 'read_only',
  ENOENT: 'missing',
};

const messages: Partial<Record<JournalErrorReason, string>> = {
  disk_full: 'the disk is full; everything written so far is intact, and the run can be resumed',
  read_only: 'it cannot be written to',
  missing: 'it does not exist, so this is not a run folder',
};

/** For errors without a reason of their own. */
const messagesByCode: Readonly<Record<string, string>> = {
  EEXIST: 'there is a file where the run folder should be, or a link that leads nowhere',
  ENOTDIR: 'a part of the path is a file',
  EISDIR: 'there is a folder where the journal should be',
};

/** Turns the error of a file operation into one about the run folder. */
export function journalError(error: unknown, file: string): JournalError {
  if (error instanceof JournalError) return error;
  const { code = '', message } = error as { code?: string; message?: string };
  const reason = code.startsWith('Z_') ? 'damaged' : (reasons[code] ?? 'other');
  const said = message ?? String(error);
  const why = reason === 'damaged' ? `it is damaged: ${said}` : (messages[reason] ?? messagesByCode[code] ?? said);
  return new JournalError(reason, `${file}: ${why}`, { cause: error, resumable: reason === 'disk_full' });
}
