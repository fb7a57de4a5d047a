import { parseJson } from '../../chat/parse-json.js';
import type { Masker } from './mask.js';

/** A string in the n-th document of an answer. */
interface Leaf {
  readonly holder: Record<string, unknown>;
  readonly name: string;
  readonly text: string;
  readonly document: number;
}

/**
 * Masks what no search of the raw text can find: a secret spelled with `\u` escapes, or split over the deltas of a
 * stream.
 * @returns the body with the affected documents rewritten; null, in most cases, when there is nothing to mask
 */
export function maskValues(body: string, eventStream: boolean, masker: Masker): string | null {
  if (!masker.active) return null;
  const lines = eventStream ? body.split(/(\r\n|\n|\r)/) : [body];
  const documents = new Map<number, unknown>();
  const threads = new Map<string, Leaf[]>();
  const touched = new Set<number>();
  const rewritten = new Set<number>();
  const rewriteLine = (index: number, text: string): void => {
    lines[index] = eventStream ? `data: ${text}` : text;
    rewritten.add(index);
  };
  lines.forEach((line, index) => {
    const text = eventStream ? dataOf(line) : line;
    if (text === null) return;
    const { value: document } = parsed(text);
    if (typeof document === 'string' && masker.holds(document))
      rewriteLine(index, JSON.stringify(masker.mask(document)));
    if (document === undefined) {
      const plain = unescaped(text);
      if (plain !== text && masker.holds(plain)) rewriteLine(index, masker.mask(plain));
    } else if (typeof document === 'object' && document !== null) {
      documents.set(index, document);
      collect(document, '', index, threads);
      // A name without escapes was already masked in the raw text.
      if (text.includes('\\u') && holdsInNames(document, masker)) touched.add(index);
    }
  });
  for (const thread of threads.values()) maskThread(thread, masker, touched);
  for (const index of touched) rewriteLine(index, JSON.stringify(renamed(documents.get(index), masker)));
  return rewritten.size > 0 ? lines.join('') : null;
}

/** Text that is not JSON (a body that was cut, or is nested too deeply) with its escapes resolved. */
function unescaped(text: string): string {
  return text.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

function holdsInNames(value: unknown, masker: Masker): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((item) => holdsInNames(item, masker));
  return Object.entries(value).some(([name, member]) => masker.holds(name) || holdsInNames(member, masker));
}

/** The same value with every name masked. */
function renamed(value: unknown, masker: Masker): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, masker));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [masker.mask(name), renamed(member, masker)]),
  );
}

/** Masks the members with one path in all documents, read as one text. */
function maskThread(thread: readonly Leaf[], masker: Masker, touched: Set<number>): void {
  const whole = thread.map((leaf) => leaf.text).join('');
  if (!masker.holds(whole)) return;
  const stream = masker.stream();
  let last: Leaf | undefined;
  for (const leaf of thread) {
    const shown = stream.push(leaf.text);
    if (shown !== leaf.text) rewrite(leaf, shown, touched);
    last = leaf;
  }
  const rest = stream.end();
  if (last !== undefined && rest !== '') rewrite(last, String(last.holder[last.name]) + rest, touched);
}

function rewrite(leaf: Leaf, text: string, touched: Set<number>): void {
  leaf.holder[leaf.name] = text;
  touched.add(leaf.document);
}

function collect(value: object, path: string, document: number, threads: Map<string, Leaf[]>): void {
  const holder = value as Record<string, unknown>;
  for (const name of Object.keys(holder)) {
    const member = holder[name];
    const here = `${path}/${name}`;
    if (typeof member === 'string') {
      const thread = threads.get(here);
      const leaf = { holder, name, text: member, document };
      if (thread === undefined) threads.set(here, [leaf]);
      else thread.push(leaf);
    } else if (typeof member === 'object' && member !== null) collect(member, here, document, threads);
  }
}

function dataOf(line: string): string | null {
  return line.startsWith('data:') ? line.slice('data:'.length) : null;
}

/** Without a value: the text is not JSON, or nested too deeply to be read. */
function parsed(text: string): { readonly value?: unknown } {
  const json = parseJson(text);
  return json.ok ? { value: json.value } : {};
}
