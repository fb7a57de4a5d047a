import { createRequire } from 'node:module';
import type * as BabelCodeFrame from '@babel/code-frame';
import { ChatspecError } from '../../errors/chatspec-error.js';
import { type Json, writtenJson } from '../../json/json.js';

const require = createRequire(import.meta.url);

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
  readonly hint?: string | undefined;
  /** The source text around the place, ready to print. */
  readonly frame?: string | undefined;
}

/** Steps from the root of the data to a value: member names and indexes. */
export type Path = readonly (string | number)[];

/** A place together with the whole text of its file, for the code frame; an empty text gives none. */
export interface Spot {
  readonly place: Place;
  readonly text: string;
}

/** Data that knows where each of its values was written, also when parts of it come from other files. */
export interface Source {
  readonly data: Json;
  /** Where a value is, or what would hold it when it does not exist; with `key`, the name before the value. */
  readonly spotOf: (path: Path, part?: 'key' | 'value') => Spot;
}

/** One file as read. With an error among `problems`, `data` is null. */
export interface SourceFile extends Source {
  readonly file: string;
  readonly problems: readonly Problem[];
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
  return new UserError([{ severity: 'error', place: null, message, hint }]);
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

export interface ProblemOptions {
  readonly severity?: Problem['severity'];
  /** Points at the key instead of the value, for instance when the key is unknown. */
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
  return { severity, message, place, hint, frame: text === '' ? undefined : codeFrame(text, place) };
}

/** Characters. A longer line, such as a prompt or a minified schema, is cut. */
const longestLine = 160;

/**
 * The lines around a place, with a marker under the column. Without colour: only the terminal knows whether to use it.
 */
function codeFrame(text: string, { line, column }: Pick<Place, 'line' | 'column'>): string {
  // Loaded with the first problem, since it is slow to import.
  const { codeFrameColumns } = require('@babel/code-frame') as typeof BabelCodeFrame;
  const lines = sourceLines(text);
  const first = Math.max(0, line - 3);
  const start = Math.max(0, column - longestLine / 2);
  const long = (lines[line - 1] ?? '').length > longestLine;
  const visible = lines.slice(first, line + 2).map((whole, index) => {
    const from = long && first + index + 1 === line ? start : 0;
    return printable(whole.slice(from, from + longestLine));
  });
  // The types of the library do not know the number of the first line yet.
  const options = {
    highlightCode: false,
    forceColor: false,
    linesAbove: 2,
    linesBelow: 2,
    startLine: first + 1,
  };
  return codeFrameColumns(visible.join('\n'), { start: { line, column: long ? column - start : column } }, options);
}

let last = { text: '', lines: [''] };
/** A file with one mistake may have ten thousand. */
function sourceLines(text: string): readonly string[] {
  if (last.text !== text) last = { text, lines: text.split(/\r\n|\n|\r/) };
  return last.lines;
}

/** Control characters (escape sequences above all) and strings that look like API keys must not reach the terminal. */
function printable(line: string): string {
  return line.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd').replace(/\bsk-[\w-]{8,}/g, 'sk-***');
}
