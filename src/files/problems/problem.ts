import { ChatspecError } from '../../errors/chatspec-error.js';
import { writtenJson } from '../../json/json.js';

/** A position in a file. Lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

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

/**
 * Thrown (never a bare Error) for anything the user can fix; carries every problem that was found. Its message names
 * all of them with places and next steps: of an error that nothing catches, that is all that anybody sees.
 */
export class UserError extends ChatspecError {
  readonly kind = 'user';
  constructor(readonly problems: readonly Problem[]) {
    super(problems.map(problemText).join('\n'), {
      hint: problems.length === 1 ? problems[0]?.hint : undefined,
    });
  }
}

/** A problem as lines of a message: place, what is wrong, and what to do next. */
function problemText({ severity, place, message, hint }: Problem): string {
  const where = place === null ? '' : `${place.file}:${place.line}:${place.column}: `;
  return `${where}${severity === 'warning' ? 'warning: ' : ''}${message}${hint === undefined ? '' : `\n  → ${hint}`}`;
}

/** The error for a request that cannot be carried out as it stands, where no line of a file is at fault. */
export function userError(message: string, hint?: string): UserError {
  return new UserError([{ severity: 'error', place: null, message, ...(hint === undefined ? {} : { hint }) }]);
}

/** The problems, when all of them are warnings; else throws a UserError with every one. */
export function warningsOrThrow(problems: readonly Problem[]): readonly Problem[] {
  if (hasErrors(problems)) throw new UserError(problems);
  return problems;
}

export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some((problem) => problem.severity === 'error');
}

/**
 * Problems in the order of the lines; the files come in the order of their first problems. An error in something shared
 * is found more than once, and reported once.
 */
export function inLineOrder(problems: readonly Problem[]): Problem[] {
  const distinct = new Map<string, Problem>();
  for (const problem of problems) {
    const id = writtenJson([problem.place, problem.message]);
    if (!distinct.has(id)) distinct.set(id, problem);
  }
  const files = [...new Set(problems.map(({ place }) => place?.file))];
  const nowhere = { file: undefined, line: 0, column: 0 };
  return [...distinct.values()].sort(({ place: one }, { place: other }) => {
    const [a, b] = [one ?? nowhere, other ?? nowhere];
    return files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line || a.column - b.column;
  });
}
