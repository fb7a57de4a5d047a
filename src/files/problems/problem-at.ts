import { createRequire } from 'node:module';
import type * as BabelCodeFrame from '@babel/code-frame';
import type { Path, Source, Spot } from '../source.js';
import type { Place, Problem } from './problem.js';

const require = createRequire(import.meta.url);

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
  return {
    severity,
    message,
    place,
    ...(hint === undefined ? {} : { hint }),
    ...(text === '' ? {} : { frame: codeFrame(text, place) }),
  };
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
