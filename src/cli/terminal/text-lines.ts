/** A line, or a document over several lines, with the number of its first line. */
export interface NumberedText {
  readonly line: number;
  /** null: it is too long to be kept. */
  readonly text: string | null;
}

/** Characters. A longer line would take the memory of the machine. */
export const longestLine = 64 * 1024 * 1024;

/** The lines of a text as they come, without the empty ones. The last one needs no line feed. */
export async function* linesIn(
  pieces: AsyncIterable<string>,
  longest: number = longestLine,
): AsyncGenerator<NumberedText> {
  let line = 1;
  let parts: string[] = [];
  let length = 0;
  const whole = (): string | null => (length > longest ? null : parts.join(''));
  for await (const piece of pieces) {
    const [first = '', ...others] = piece.split('\n');
    length += first.length;
    if (length <= longest) parts.push(first);
    for (const next of others) {
      const text = whole();
      if (text?.trim() !== '') yield { line, text };
      line++;
      parts = next.length <= longest ? [next] : [];
      length = next.length;
    }
  }
  const last = whole();
  if (last?.trim() !== '') yield { line, text: last };
}

/**
 * The same, where a document may be indented over several lines, as printers of JSON write it. For files alone: whoever
 * writes lines one by one waits for what is said of each.
 */
export async function* documentsIn(lines: AsyncIterable<NumberedText>): AsyncGenerator<NumberedText> {
  let open: { readonly line: number; readonly parts: string[] } | null = null;
  const closed = (): NumberedText[] => (open === null ? [] : [{ line: open.line, text: open.parts.join('\n') }]);
  for await (const given of lines) {
    const text = given.text ?? '';
    if (open !== null && /^[\s}\]]/.test(text)) {
      open.parts.push(text);
      if (/^\s/.test(text)) continue;
      yield* closed();
      open = null;
      continue;
    }
    yield* closed();
    open = /^[[{]\s*$/.test(text) ? { line: given.line, parts: [text] } : null;
    if (open === null) yield given;
  }
  yield* closed();
}
