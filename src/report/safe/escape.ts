/**
 * Control characters except tab and line feed, and characters that reorder or hide text, which could smuggle a message past
 * the reader. Variation selectors of emoji are allowed.
 */
export const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb]|(?![\ufe00-\ufe0f])[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/gu;

/** The text with control and hidden characters written as visible escapes; line breaks stay. */
export function visible(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(hidden, escapeOf)
    .replace(/\p{Surrogate}/gu, '\ufffd');
}

/** A copy of plain data in which every text is {@link visible}. */
export function visibleAll<T>(value: T): T {
  return mapped(value) as T;
}

function mapped(value: unknown): unknown {
  if (typeof value === 'string') return visible(value);
  if (Array.isArray(value)) return value.map(mapped);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapped(member)]));
  }
  return value;
}

function escapeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}

/** The visible text on one line, cut to a number of characters. */
export function oneLine(text: string, most = Number.POSITIVE_INFINITY): string {
  const line = visible(text).replace(/\s+/g, ' ').trim();
  const characters = Array.from(line);
  return characters.length <= most ? line : `${characters.slice(0, Math.max(0, most - 1)).join('')}…`;
}

/** Markdown text on one line without any markup, safe inside a table. */
export function markdown(text: string): string {
  return oneLine(text)
    .replace(/[\\`*_{}[\]()#+\-!|~]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** A Markdown code span on one line, safe inside a table. */
export function markdownCode(text: string): string {
  const line = oneLine(text).replaceAll('|', '\\|');
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`;
}

/** A Markdown code block of these lines. */
export function markdownBlock(lines: readonly string[]): readonly string[] {
  const shown = lines.map(visible);
  const longest = Math.max(2, ...[...shown.join('\n').matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [fence, ...shown, fence];
}

/** The text with characters that XML 1.0 forbids made visible. The XML writer escapes the rest. */
export function xmlText(text: string): string {
  return visible(text).replace(/[\ufffe\uffff]/g, '\ufffd');
}
