import type { createColors } from 'picocolors';
import { oneLine } from '../text/escape.js';

export type Paint = ReturnType<typeof createColors>;

/** Columns a text takes: East Asian wide characters and emoji take two. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += isWide(character) ? 2 : combining.test(character) ? 0 : 1;
  return width;
}

const combining = /\p{Mn}|\p{Me}/u;

function isWide(character: string): boolean {
  return /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u.test(
    character,
  );
}

/** Text made harmless and cut or filled to exactly so many columns. */
export function fitted(text: string, columns: number): string {
  const line = clipped(text, columns);
  return line + ' '.repeat(columns - widthOf(line));
}

function clipped(text: string, columns: number): string {
  const line = oneLine(text);
  if (widthOf(line) <= columns) return line;
  let kept = '';
  for (const character of line) {
    if (widthOf(kept + character) > columns - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Text made harmless and wrapped at spaces; words that are too long are cut. Further lines are indented by two more. */
export function wrapped(text: string, columns: number, indent: string): string[] {
  const lines: string[] = [];
  let line = indent;
  let empty = true;
  const further = `${indent}  `;
  const flush = () => {
    lines.push(line);
    line = further;
    empty = true;
  };
  for (const word of oneLine(text).split(' ')) {
    if (!empty && widthOf(line) + 1 + widthOf(word) > columns) flush();
    if (!empty) line += ' ';
    for (const character of word) {
      if (widthOf(line) + widthOf(character) > columns) flush();
      line += character;
      empty = false;
    }
  }
  if (!empty) lines.push(line);
  return lines;
}
