import { ChatspecError } from '../errors/chatspec-error.js';

/** A bug in chatspec: a course, a trial or a reporter threw. The run ends, and no verdict rests on it. */
export class InternalError extends ChatspecError {
  readonly kind = 'internal';
  constructor(
    readonly cell: string | null,
    cause: unknown,
  ) {
    const what = cause instanceof Error ? cause.message : String(cause);
    super(`${cell === null ? 'the run' : cell} could not be continued: ${what}`, { cause });
  }
}

/** Turns anything that was thrown during a run into an error of ours; what is not one yet is a bug at this cell. */
export function runError(error: unknown, cell: string | null): ChatspecError {
  return error instanceof ChatspecError ? error : new InternalError(cell, error);
}
