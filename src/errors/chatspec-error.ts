/** The sort of error, from which the exit code follows. */
export type ErrorKind = 'user' | 'journal' | 'not_listed' | 'secret_in_body' | 'template' | 'internal';

export interface ErrorDetails {
  /** The next step. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/**
 * The base of every error that chatspec throws on purpose and that may reach a caller. Its message can be shown to a
 * user as it is; anything else that is thrown is a bug in chatspec or in what an embedding program handed in.
 */
export abstract class ChatspecError extends Error {
  abstract readonly kind: ErrorKind;
  /** An advice; null when the message says it all. */
  readonly hint: string | null;

  constructor(message: string, { hint, cause }: ErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.hint = hint ?? null;
  }
}
