import { codeFrame } from './code-frame.js';
import type { Problem } from './problem.js';
import type { Path, Source, Spot } from '../source.js';

export interface ProblemOptions {
  readonly severity?: Problem['severity'];
  /** Point at the key instead of the value (an unknown key, say). */
  readonly part?: 'key' | 'value';
}

/** A problem at a value of a source, with its code frame. */
export function problemAt(
  source: Pick<Source, 'spotOf'>,
  path: Path,
  message: string,
  hint?: string,
  options: ProblemOptions = {},
): Problem {
  return problemAtSpot(source.spotOf(path, options.part ?? 'value'), message, hint, options.severity);
}

/** A problem at a spot of a text, with its code frame. */
export function problemAtSpot(
  { place, text }: Spot,
  message: string,
  hint?: string,
  severity: Problem['severity'] = 'error',
): Problem {
  return {
    severity,
    message,
    place,
    ...(hint === undefined ? {} : { hint }),
    ...(text === '' ? {} : { frame: codeFrame(text, place) }),
  };
}

export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some((problem) => problem.severity === 'error');
}

/** How a value is called in a message: its kind, and the value itself where it is short. */
export function describe(value: unknown): string {
  if (value === null) return 'nothing (null)';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  const shown = JSON.stringify(value);
  const kind = typeof value === 'string' ? 'the text ' : `the ${typeof value} `;
  return shown.length > 60 ? `${kind}${shown.slice(0, 57)}..."` : `${kind}${shown}`;
}
