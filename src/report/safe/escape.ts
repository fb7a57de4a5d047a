/**
 * Control characters but tab and line feed; and what reorders or hides text, in which a message may be smuggled past the
 * reader. The marks that choose the look of an emoji stay.
 */
export const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb]|(?![\ufe00-\ufe0f])[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/gu;

/** Text in which nothing acts on a terminal or hides from the reader: controls become visible, lines stay. */
export function visible(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(hidden, spelled)
    .replace(/\p{Surrogate}/gu, '\ufffd');
}

/** A copy of plain data in which no text hides or reorders anything. */
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

function spelled(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}

/** The same on one line, cut to a number of characters. */
export function oneLine(text: string, most = Number.POSITIVE_INFINITY): string {
  const line = visible(text).replace(/\s+/g, ' ').trim();
  const characters = Array.from(line);
  return characters.length <= most ? line : `${characters.slice(0, Math.max(0, most - 1)).join('')}…`;
}

/** Markdown text on one line in which nothing is markup, also inside a table. */
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

/** Text that XML 1.0 can hold: what it cannot becomes visible. Escaping is left to the writer. */
export function xmlText(text: string): string {
  return visible(text).replace(/[\ufffe\uffff]/g, '\ufffd');
}
