import { createRequire } from 'node:module';
import type * as BabelCodeFrame from '@babel/code-frame';
import type { Place } from './place.js';

const require = createRequire(import.meta.url);
/** A line longer than this (a prompt, a minified schema) is shown cut. */
const longestLine = 160;

/** The lines around a place, with a marker under the column; without colour, which is the terminal's matter. */
export function codeFrame(text: string, { line, column }: Pick<Place, 'line' | 'column'>): string {
  // Loaded on the first problem only: a run without problems never pays for it.
  const { codeFrameColumns } = require('@babel/code-frame') as typeof BabelCodeFrame;
  const lines = text.split(/\r\n|\n|\r/);
  const start = Math.max(0, column - longestLine / 2);
  const long = (lines[line - 1] ?? '').length > longestLine;
  const shown = lines.map((whole, index) => {
    if (Math.abs(index + 1 - line) > 3) return '';
    return printable(
      long && index + 1 === line ? whole.slice(start, start + longestLine) : whole.slice(0, longestLine),
    );
  });
  return codeFrameColumns(
    shown.join('\n'),
    { start: { line, column: long ? column - start : column } },
    { highlightCode: false, forceColor: false, linesAbove: 2, linesBelow: 2 },
  );
}

/** Control characters (escape sequences above all) never reach the terminal, nor do strings that look like keys. */
function printable(line: string): string {
  return line.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd').replace(/\bsk-[\w-]{8,}/g, 'sk-***');
}
