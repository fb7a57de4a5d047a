/** Something in chatspec itself went wrong: a course, a trial or a template threw. The run ends; nothing is judged by it. */
export class OwnBug extends Error {
  override readonly name = 'OwnBug';
  constructor(
    readonly cell: string | null,
    cause: unknown,
  ) {
    const what = cause instanceof Error ? cause.message : String(cause);
    super(`${cell === null ? 'the run' : cell} could not be carried on: ${what}`, { cause });
  }
}

/** Errors that already say what they are and go to the command line as they came. */
const speaking = new Set(['OwnBug', 'SecretInBody', 'JournalError', 'UserError', 'TemplateError']);

/** The error as the run gives it out: one that speaks for itself, or an own bug at the cell. */
export function runError(error: unknown, cell: string | null): Error {
  return error instanceof Error && speaking.has(error.name) ? error : new OwnBug(cell, error);
}
