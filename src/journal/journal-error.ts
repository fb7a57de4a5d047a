import { ChatspecError, type ErrorDetails } from '../errors/chatspec-error.js';

/** The kind of fault of a run folder. */
export type JournalErrorReason =
  'exists' | 'in_use' | 'other_plan' | 'missing' | 'damaged' | 'unreadable' | 'disk_full' | 'read_only' | 'other';

/** The journal cannot be written or read. Nothing was overwritten. */
export class JournalError extends ChatspecError {
  readonly kind = 'journal';
  /** The run of that folder can be resumed. */
  readonly resumable: boolean;
  constructor(
    readonly reason: JournalErrorReason,
    message: string,
    details: ErrorDetails & { readonly resumable?: boolean } = {},
  ) {
    super(message, details);
    this.resumable = details.resumable ?? false;
  }
}

const full = 'the disk is full; everything written so far is intact, and the run can be resumed';
const unwritableText = 'it cannot be written to';

/** By the code of a file system error. */
const causes: Readonly<Record<string, readonly [JournalErrorReason, string]>> = {
  ENOSPC: ['disk_full', full],
  EDQUOT: ['disk_full', full],
  EROFS: ['read_only', unwritableText],
  EACCES: ['read_only', unwritableText],
  EPERM: ['read_only', unwritableText],
  ENOENT: ['missing', 'it does not exist, so this is not a run folder'],
  EEXIST: ['other', 'there is a file where the run folder should be, or a link that leads nowhere'],
  ENOTDIR: ['other', 'a part of the path is a file'],
  EISDIR: ['other', 'there is a folder where the journal should be'],
};

/** Reasons that differ where the file was only read. */
const readCauses: typeof causes = {
  EACCES: ['unreadable', 'it cannot be read: permission denied'],
  EPERM: ['unreadable', 'it cannot be read: permission denied'],
  EIO: ['unreadable', 'it cannot be read: the disk reports an error'],
};

/**
 * Turns the error of a file operation, or of gzip, into one about the run folder.
 * @param doing what was being done with the file
 */
export function journalError(error: unknown, file: string, doing: 'read' | 'write' = 'write'): JournalError {
  if (error instanceof JournalError) return error;
  const { code = '', message = String(error) } = error as { code?: string; message?: string };
  const [reason, why] = code.startsWith('Z_') ? (['damaged', `it is damaged: ${message}`] as const) : causeOf();
  return new JournalError(reason, `${file}: ${why}`, { cause: error, resumable: reason === 'disk_full' });

  function causeOf(): readonly [JournalErrorReason, string] {
    if (doing === 'write') return causes[code] ?? ['other', message];
    return readCauses[code] ?? causes[code] ?? ['unreadable', `it cannot be read: ${message}`];
  }
}
