import { type Document, isMap, isSeq, LineCounter, parseDocument } from 'yaml';

/** A text in which each entry of a list is folded into one line. */
interface Folded {
  readonly lines: readonly string[];
  readonly entries: ReadonlyMap<string, string>;
}

/**
 * The text of a changed document, so that a pull request shows only what changed: every line and entry that means the
 * same as in the old text is written as it was there. A new entry takes one line, however long.
 * @param unchanged the document of the old text
 */
export function asWritten(document: Document, old: string, unchanged: Document): string {
  const style = styleOf(old);
  const plain = rendered(document, style);
  const [written, before, after] = [old.replaceAll('\r\n', '\n'), rendered(unchanged, style), plain].map(folded);
  if (written === undefined || before === undefined || after === undefined) return plain;
  const asInOld = linesOf(written.lines);
  const text = after.lines
    .map((line) => {
      const entry = after.entries.get(line);
      if (entry === undefined) return asInOld(line);
      return entry === before.entries.get(line) ? (written.entries.get(line) ?? entry) : entry;
    })
    .join('\n');
  // Lines of two styles may not fit together (indentation, anchors). Then the meaning matters more than the style.
  return meansTheSame(text, plain) ? text : plain;
}

/** Keeps an entry on one line, however long it is and whatever line breaks its texts contain. */
const oneLine = {
  lineWidth: 0,
  doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  flowCollectionPadding: true,
  blockQuote: false,
} as const;

/** The text of a document that has none yet, or whose old text cannot be kept. */
export function rendered(document: Document, style: { readonly indent?: number; readonly indentSeq?: boolean } = {}) {
  return document.toString({ ...oneLine, ...style });
}

/** How far the old text indents its lists; nothing where it has no block list. */
function styleOf(old: string): { readonly indent?: number; readonly indentSeq?: boolean } {
  const [, spaces] = /^( *)- /m.exec(old) ?? [];
  if (spaces === undefined) return {};
  return spaces === '' ? { indentSeq: false } : { indent: spaces.length };
}

/** Gives the old line that differs only in spaces, where there is one. */
function linesOf(written: readonly string[]): (line: string) => string {
  const spaceless = (line: string): string => line.replaceAll(/\s/g, '');
  const exact = new Set(written);
  const alike = new Map(written.map((line) => [spaceless(line), line]));
  return (line) => (exact.has(line) ? line : (alike.get(spaceless(line)) ?? line));
}

/** The member that names an entry of each list. */
const nameIn = { covers: 'cells', wire: 'model', expect: 'key', thresholds: 'key' } as const;

function folded(text: string): Folded {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter });
  const lines: (string | null)[] = text.split('\n');
  const entries = new Map<string, string>();
  for (const list of ['covers', 'wire', 'expect', 'thresholds'] as const) {
    const seq = document.get(list, true);
    if (!isSeq(seq) || seq.flow === true) continue;
    for (const item of seq.items) {
      if (!isMap(item) || !item.range) continue;
      const [start, end] = item.range;
      const first = counter.linePos(text.lastIndexOf('-', start)).line - 1;
      const last = counter.linePos(text[end - 1] === '\n' ? end - 1 : end).line - 1;
      const name = `\0${list} ${String(item.get(nameIn[list]))}`;
      entries.set(name, lines.slice(first, last + 1).join('\n'));
      lines.fill(null, first, last + 1);
      lines[first] = name;
    }
  }
  return { lines: lines.filter((line) => line !== null), entries };
}

function meansTheSame(text: string, other: string): boolean {
  const [one, two] = [parseDocument(text), parseDocument(other)];
  return one.errors.length === 0 && JSON.stringify(one) === JSON.stringify(two);
}
