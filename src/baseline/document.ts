import { Document, isMap, isScalar, parseDocument, YAMLMap, YAMLSeq, type Node } from 'yaml';
import type { BaselineEntry, StoredThreshold } from './baseline.js';

/** A line of `expect` or `thresholds`, in the order in which its members are written. */
type Line = Readonly<Record<string, string | number | boolean>>;

/** The YAML document of a baseline text; a fresh one for null. Comments and the style of untouched lines stay. */
export function openDocument(text: string | null): Document {
  if (text !== null) {
    const document = parseDocument(text);
    if (document.errors.length === 0 && isMap(document.contents)) return document;
  }
  return new Document({ format: 'chatspec-baseline/1', covers: [] });
}

/**
 * One line for each entry, however long, so that a pull request shows what changed and nothing else: a line that says
 * what a line of the old text said is that line, spaces and quotes included.
 */
export function textOf(document: Document, old: string | null): string {
  const render = (of: Document): string =>
    of.toString({ lineWidth: 0, flowCollectionPadding: true, blockQuote: false });
  const text = render(document);
  if (old === null) return text;
  const before = render(openDocument(old)).split('\n');
  const written = old.split(/\r?\n/);
  if (before.length !== written.length) return text;
  const asWritten = new Map(before.map((line, index) => [line, written[index] ?? line]));
  return text
    .split('\n')
    .map((line) => asWritten.get(line) ?? line)
    .join('\n');
}

/** Replaces the list of patterns; what stays keeps its comments. */
export function setCovers(document: Document, patterns: readonly string[]): void {
  const old = seqAt(document, 'covers');
  const nodes = new Map(old.items.flatMap((item) => (isScalar(item) ? [[String(item.value), item] as const] : [])));
  if (nodes.size === patterns.length && patterns.every((pattern) => nodes.has(pattern))) return;
  old.items = patterns.map((pattern) => nodes.get(pattern) ?? document.createNode(pattern));
  old.flow = false;
}

/**
 * Changes the lines of a list by key and sorts them all. A line that is replaced hands its comments on; a list that
 * becomes empty goes when it did not stand there before.
 */
export function changeLines(
  document: Document,
  list: 'expect' | 'thresholds',
  changes: ReadonlyMap<string, Line | null>,
): void {
  const existed = document.has(list);
  const seq = seqAt(document, list);
  const [first] = seq.items;
  if (isMap(first) && typeof seq.commentBefore === 'string') {
    // What stands above the first line is read as the list's own; it would stay behind when the line moves.
    first.commentBefore ??= seq.commentBefore;
    seq.commentBefore = null;
  }
  const lines = new Map(seq.items.flatMap((item) => (isMap(item) ? [[keyOf(item), item] as const] : [])));
  for (const [key, line] of changes) {
    if (line === null) lines.delete(key);
    else lines.set(key, lineNode(document, line, lines.get(key)));
  }
  const sorted = [...lines].sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  seq.items = sorted.map(([, item]) => item);
  seq.flow = seq.items.length === 0;
  if (!existed && seq.items.length === 0) document.delete(list);
}

/** The members of an entry that say something, in their order of reading. */
export function entryLine(entry: BaselineEntry): Line {
  const { key, verdict, class: shown, reason, status, passed, total, threshold, date, provisional, note, link } = entry;
  const line = { key, verdict, class: shown, reason, status, passed, total, threshold, date };
  return saying({ ...line, provisional: provisional ? true : null, note, link });
}

export function thresholdLine({ key, value, date, note, link }: StoredThreshold): Line {
  return saying({ key, value, date, note, link });
}

function saying(line: Readonly<Record<string, string | number | boolean | null>>): Line {
  return Object.fromEntries(Object.entries(line).flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
}

function lineNode(document: Document, line: Line, old: YAMLMap | undefined): YAMLMap {
  const node = document.createNode(line, { flow: true }) as YAMLMap;
  const { commentBefore = null, comment = null, spaceBefore = false } = (old ?? {}) as Partial<Node>;
  node.commentBefore = commentBefore;
  node.comment = comment;
  node.spaceBefore = spaceBefore;
  return node;
}

function seqAt(document: Document, name: string): YAMLSeq {
  const found = document.get(name, true);
  if (found instanceof YAMLSeq) return found;
  const seq = new YAMLSeq();
  document.set(name, seq);
  return seq;
}

function keyOf(line: YAMLMap): string {
  return String(line.get('key'));
}
