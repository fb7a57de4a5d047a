import type { createColors } from 'picocolors';
import widthOf from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { oneLine } from '../safe/escape.js';

export type Paint = ReturnType<typeof createColors>;

/** The text, made harmless and cut or padded to exactly this many columns. */
export function fitted(text: string, columns: number): string {
  const line = oneLine(text);
  const [start = ''] = wrapAnsi(line, columns - 1, { hard: true, wordWrap: false, trim: false }).split('\n');
  const kept = widthOf(line) <= columns ? line : `${start}…`;
  return kept + ' '.repeat(columns - widthOf(kept));
}

/** The text, made harmless and wrapped at spaces; words that are too long are cut. Further lines are indented by two more. */
export function wrapped(text: string, columns: number, indent: string): string[] {
  // wrap-ansi normalizes as well; doing it first keeps the lengths comparable.
  const line = oneLine(text).normalize();
  const [first = ''] = linesOf(line, columns - indent.length);
  const rest = line.slice(first.length).trimStart();
  const further = rest === '' ? [] : linesOf(rest, columns - indent.length - 2);
  return first === '' ? [] : [`${indent}${first}`, ...further.map((next) => `${indent}  ${next}`)];
}

function linesOf(text: string, columns: number): string[] {
  return wrapAnsi(text, columns, { hard: true }).split('\n');
}
