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

/** Marks of reports that take one column, as letters do. */
const narrow = /[·…–—’“”→⇄×≈±≤≥∞−─✓✗○●◐◆▲▼⊘⊗↯]/g;
const ascii = /^[ -~]*$/;

/** Wrapped at spaces; words that are longer than a line are cut. */
export function linesOf(text: string, columns: number): string[] {
  const letters = text.replaceAll(narrow, 'x');
  const lines = (of: string): string[] => wrapAnsi(of, columns, { hard: true }).split('\n');
  if (!ascii.test(letters)) return lines(text);
  // To measure a mark, the library compiles a list of all emoji, which takes longer than all else here.
  let at = 0;
  return lines(letters).map((line) => {
    while (text[at] === ' ' && !line.startsWith(' ')) at += 1;
    at += line.length;
    return text.slice(at - line.length, at);
  });
}
