import type { Place } from './place.js';

/**
 * Something wrong with what the user wrote. `message` says what was found and what was expected,
 * `hint` the next step ("did you mean ..."). The command line prints place, code frame, message and hint.
 */
export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly place: Place | null;
  readonly hint?: string;
  /** The source text around the place, ready to print. */
  readonly frame?: string;
}

/** Thrown (never a bare Error) for anything the user can mend; carries every problem that was found. */
export class UserError extends Error {
  override readonly name = 'UserError';
  constructor(readonly problems: readonly Problem[]) {
    super(problems.map((problem) => problem.message).join('\n'));
  }
}
