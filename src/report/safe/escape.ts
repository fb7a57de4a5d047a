import { eachText } from './capped.js';
import { writtenJson } from '../../json/json.js';

/**
 * Control characters except tab and line feed, and characters that reorder or hide text, which could smuggle a message
 * past the reader. Variation selectors of emoji are allowed.
 */
const hidden = new RegExp(
  [
    String.raw`[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb]`,
    String.raw`(?![\ufe00-\ufe0f])[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]`,
  ].join('|'),
  'gu',
);

/** Most texts hold nothing that could need an escape, and to see that is much faster than to look for it. */
const ordinary = /^[\n\x20-\x7e]*$/;

/** The text with control and hidden characters written as visible escapes; line breaks stay. */
export function visible(text: string): string {
  if (ordinary.test(text)) return text;
  return text
    .replaceAll('\r\n', '\n')
    .replace(hidden, escapeOf)
    .replace(/\p{Surrogate}/gu, '\ufffd');
}

/** Plain data in which every text is {@link visible}. */
export function visibleAll<T>(value: T): T {
  return eachText(value, visible);
}

function escapeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}

/** The visible text on one line, without commands to a build machine, cut to a number of characters. */
export function oneLine(text: string, most = Number.POSITIVE_INFINITY): string {
  const line = inert(visible(text).replace(/\s+/g, ' ').trim());
  const characters = Array.from(line);
  return characters.length <= most ? line : `${characters.slice(0, Math.max(0, most - 1)).join('')}…`;
}

/** The text with characters that XML 1.0 forbids made visible. The XML writer escapes the rest. */
export function xmlText(text: string): string {
  return inert(visible(text)).replace(/[\ufffe\uffff]/g, '\ufffd');
}

/**
 * Commands to machines that read the output of a build, and the character of each that is written as an escape. Each
 * pattern looks at a bounded number of characters from any place, so that no text can make it slow.
 */
const commands: readonly (readonly [pattern: RegExp, escape: (found: string) => string])[] = [
  // GitHub: "::set-output name=x::y" at the beginning of a line, where wrapping may put any word. "[::1]" is an
  // address.
  [/(?<!:):{2,}(?=\p{L})(?![\da-f:.%]{1,60}\])/giu, (colons) => `${'\\u003a'.repeat(colons.length - 1)}:`],
  // GitHub: "##[set-env name=x]y"; Azure: "##vso[task.setvariable]"; TeamCity: "##teamcity[...]": anywhere in a line.
  [/(?<=#)#(?=\w{0,40}\[)/g, () => '\\u0023'],
  // GitLab and Travis: sections that fold a log.
  [/(?<=section)_(?=(?:start|end):)|(?<=travis)_(?=(?:fold|time):)/gi, () => '\\u005f'],
];

/**
 * The text without commands to a build machine: the character that makes one is written as an escape, as control
 * characters are. Inside a JSON string, such an escape stands for the same character.
 */
export function inert(text: string): string {
  if (!/::|##|(?:section|travis)_/i.test(text)) return text;
  return commands.reduce((rest, [pattern, escape]) => rest.replace(pattern, escape), text);
}

/**
 * JSON text with control and hidden characters and commands to a build machine escaped; it parses to the same value.
 */
export function safeJsonText(value: unknown, indent = 2): string {
  return inert(writtenJson(value, indent)).replace(hidden, (character) =>
    // JSON escapes all line feeds but its own between the members.
    Array.from({ length: character.length }, (_, unit) => `\\u${code(character, unit)}`).join(''),
  );
}

function code(text: string, unit: number): string {
  return text.charCodeAt(unit).toString(16).padStart(4, '0');
}

/**
 * Words that renderers of Markdown act on although nothing in them is markup: mentions, references and e-mail
 * addresses, addresses, formulas, emoji (which are images), and commands of issue trackers. No backslash stops that; a
 * code span does.
 */
const active = /@|:\/\/|www\.|\$|[#!%&~^]\d|\bgh-\d|:[a-z+-][\w+-]*:|^\/\w|\b[\da-f]{40}\b/i;

/** Markdown text on one line without any markup but code spans. */
export function markdown(text: string): string {
  const words = oneLine(text).split(' ');
  return words.map((word, at) => (active.test(word) ? codeWord(word) : escapedPlainWord(word, at === 0))).join(' ');
}

/** Punctuation of the sentence stands outside of the code, so that the code can be copied. */
function codeWord(word: string): string {
  const [, before = '', core = word, after = ''] = /^(\(?)(.*?)((?:\)?[,.;:]*)?)$/s.exec(word) ?? [];
  if (core === '' || core.includes('(')) return codeSpan(word);
  return `${escapedPlainWord(before)}${codeSpan(core)}${escapedPlainWord(after)}`;
}

/** @param isFirst where it may begin a line, and with it a list or a heading */
function escapedPlainWord(word: string, isFirst = true): string {
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
