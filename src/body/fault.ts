import type { Path } from '../files/problems/problem.js';

/** Something in a request body that no service takes, at a path of the body. */
export interface BodyFault {
  readonly severity: 'error' | 'warning';
  readonly path: Path;
  readonly part: 'key' | 'value';
  readonly message: string;
  readonly hint?: string | undefined;
  /**
   * `form`: a name, a type or a value that is wrong by itself. `missing`: something that another part may still add.
   */
  readonly kind: 'form' | 'missing';
  /** The member that is missing, which `deliberate` may name as well. */
  readonly lacks: Path | null;
}

/** An error that is wrong by itself. */
export function formFault(
  path: Path,
  message: string,
  hint: string | undefined,
  part: BodyFault['part'] = 'value',
): BodyFault {
  return { severity: 'error', path, part, message, hint, kind: 'form', lacks: null };
}

/** Whether a value is a text with a Handlebars template in it. */
export function hasTemplate(value: unknown): boolean {
  return typeof value === 'string' && value.includes('{{');
}
