import { eachText } from './each-text.js';
import { inert } from './runner-commands.js';

/**
 * Control characters except tab and line feed, and characters that reorder or hide text, which could smuggle a message past
 * the reader. Variation selectors of emoji are allowed.
 */
export const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb]|(?![\ufe00-\ufe0f])[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/gu;

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
