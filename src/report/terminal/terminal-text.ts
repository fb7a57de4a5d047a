import widthOf from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { oneLine } from '../safe/escape.js';

/** The text, made harmless and cut or padded to exactly this many columns. */
export function fittedToColumns(text: string, columns: number): string {
  const line = oneLine(text);
  const [start = ''] = wrapAnsi(line, columns - 1, { hard: true, wordWrap: false, trim: false }).split('\n');
  const kept = widthOf(line) <= columns ? line : `${start}…`;
  return kept + ' '.repeat(columns - widthOf(kept));
}

/**
 * The text, made harmless and wrapped at spaces; words that are too long are cut. Further lines are indented by two
 * more.
 */
export function wrapped(text: string, columns: number, indent: string): string[] {
  const lines = wrapAnsi(oneLine(text), columns - indent.length - 2, { hard: true }).split('\n');
  return lines.filter((line) => line !== '').map((line, index) => `${indent}${index === 0 ? '' : '  '}${line}`);
}
