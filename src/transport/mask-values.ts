import type { Masker } from './mask.js';

/** A text leaf of the n-th document of an answer. */
interface Leaf {
  readonly holder: Record<string, unknown>;
  readonly name: string;
  readonly text: string;
  readonly document: number;
}

/**
 * Masks what no search of the raw text can see: a secret spelled with `\u` escapes, or dealt out over the deltas of a
 * stream. Gives null when there is nothing to mask, which is the rule; else the body with the documents in question
 * written anew.
 */
export function maskValues(body: string, eventStream: boolean, masker: Masker): string | null {
  const lines = eventStream ? body.split(/(\r\n|\n|\r)/) : [body];
  const documents = new Map<number, unknown>();
  const threads = new Map<string, Leaf[]>();
  lines.forEach((line, index) => {
    const text = eventStream ? dataOf(line) : line;
    if (text === null) return;
    const document = parsed(text);
    if (typeof document !== 'object' || document === null) return;
    documents.set(index, document);
    collect(document, '', index, threads, 0);
  });
  const touched = new Set<number>();
  for (const thread of threads.values()) maskThread(thread, masker, touched);
  if (touched.size === 0) return null;
  for (const index of touched) {
    const text = JSON.stringify(documents.get(index));
    lines[index] = eventStream ? `data: ${text}` : text;
  }
  return lines.join('');
}

/** Members of the same path, over all documents, read one after another. */
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

/** Deeper than any answer goes; what lies below is left to the search of the raw text. */
const deepest = 64;

function collect(value: object, path: string, document: number, threads: Map<string, Leaf[]>, depth: number): void {
  if (depth > deepest) return;
  const holder = value as Record<string, unknown>;
  for (const name of Object.keys(holder)) {
    const member = holder[name];
    const here = `${path}/${name}`;
    if (typeof member === 'string') {
      const thread = threads.get(here);
      const leaf = { holder, name, text: member, document };
      if (thread === undefined) threads.set(here, [leaf]);
      else thread.push(leaf);
    } else if (typeof member === 'object' && member !== null) collect(member, here, document, threads, depth + 1);
  }
}

function dataOf(line: string): string | null {
  return line.startsWith('data:') ? line.slice('data:'.length) : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
