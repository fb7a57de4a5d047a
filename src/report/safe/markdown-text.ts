import { inert, oneLine, visible } from './escape.js';

/**
 * Words that renderers of Markdown act on although nothing in them is markup: mentions, references and e-mail addresses,
 * addresses, formulas, emoji (which are images), and commands of issue trackers. No backslash stops that; a code span does.
 */
const active = /@|:\/\/|www\.|\$|[#!%&~^]\d|\bgh-\d|:[a-z+-][\w+-]*:|^\/\w|\b[\da-f]{40}\b/i;

/** Markdown text on one line without any markup but code spans. */
export function markdown(text: string): string {
  const words = oneLine(text).split(' ');
  return words.map((word, at) => (active.test(word) ? codeWord(word) : plain(word, at === 0))).join(' ');
}

/** Punctuation of the sentence stands outside of the code, so that the code can be copied. */
function codeWord(word: string): string {
  const [, before = '', core = word, after = ''] = /^(\(?)(.*?)((?:\)?[,.;:]*)?)$/s.exec(word) ?? [];
  if (core === '' || core.includes('(')) return codeSpan(word);
  return `${plain(before)}${codeSpan(core)}${plain(after)}`;
}

/** @param isFirst where it may begin a line, and with it a list or a heading */
function plain(word: string, isFirst = true): string {
  const inside = word.replace(/[\\`*[\]~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&');
  return (isFirst ? inside.replace(/^(?=\d+[.)]$|[#+\-=]+$)\d*/, '$&\\') : inside)
    .replaceAll('&', '&amp;')
    .replaceAll('|', '&#124;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** A Markdown code span on one line. */
export function markdownCode(text: string): string {
  return codeSpan(oneLine(text));
}

function codeSpan(line: string): string {
  if (line === '') return '` `';
  const longest = longestFence(line, 0);
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`;
}

/** A table of cells that are Markdown already. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(inCell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/**
 * A table is split at its pipes before anything else is read, code spans included. A backslash before a pipe would take
 * away the one that protects it, so it becomes an escape. Only code has pipes here; in text they are entities.
 */
function inCell(cell: string): string {
  return cell.replace(/(?<!\\)(\\*)\|/g, (_, slashes: string) => `${'\\u005c'.repeat(slashes.length)}\\|`);
}

/** The lines of a Markdown code block. */
export function markdownBlock(text: string, language = ''): readonly string[] {
  const shown = inert(visible(text));
  const fence = '`'.repeat(longestFence(shown, 2) + 1);
  return [`${fence}${language}`, ...shown.split('\n'), fence];
}

/** The length of the longest run of backticks. */
function longestFence(text: string, least: number): number {
  let longest = least;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
