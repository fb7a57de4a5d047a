import { Document, isMap, isNode, isScalar, parseDocument, type Range, visit, YAMLMap, YAMLSeq, type Node } from 'yaml';
import { asWritten, rendered } from './as-written.js';
import type { BaselineEntry, Cover, StoredThreshold, WireEntry, FailsAt } from './entries.js';

/** An entry of `expect` or `thresholds`, its members in the order in which they are written. */
type Line = Readonly<Record<string, string | number | boolean>>;

/** The YAML document of a baseline text; an empty one for null. Comments and the style of untouched lines stay. */
export function openDocument(text: string | null): Document {
  if (text !== null) {
    const document = parseDocument(text);
    if (document.errors.length === 0 && isMap(document.contents)) return document;
  }
  return new Document({ format: 'chatspec-baseline/1', covers: [] });
}

/** Like {@link asWritten}, but replaces aliases whose anchor was removed or now comes after them by their value. */
export function textOf(document: Document, old: string | null): string {
  if (old === null) return rendered(document);
  const unchanged = openDocument(old);
  replaceLooseAliases(document, unchanged);
  return asWritten(document, old, unchanged);
}

/** @param unchanged the same document before the change, in which every alias finds its anchor */
function replaceLooseAliases(document: Document, unchanged: Document): void {
  const meant = new Map<string, Node>();
  visit(unchanged, {
    Alias: (_, alias) => {
      const source = alias.resolve(unchanged);
      if (source && alias.range) meant.set(String(alias.range[0]), source);
    },
  });
  if (meant.size === 0) return;
  const anchored = new Set<string>();
  const note = (node: { readonly anchor?: string; readonly range?: Range | null }): void => {
    if (node.anchor !== undefined) anchored.add(`${node.anchor} ${String(node.range?.[0])}`);
  };
  visit(document, {
    Scalar: (_, node) => note(node),
    Collection: (_, node) => note(node),
    Alias: (_, alias) => {
      const source = meant.get(String(alias.range?.[0]));
      if (source === undefined || anchored.has(`${alias.source} ${String(source.range?.[0])}`)) return undefined;
      const copy = source.clone() as Node;
      visit(copy, (__, node) => {
        if (isNode(node) && 'anchor' in node) delete node.anchor;
      });
      return copy;
    },
  });
}

/** Replaces the list of what is covered. Lines that stay are left as they are, and those that are renewed keep their comments. */
export function setCovers(document: Document, covers: readonly Cover[]): void {
  const seq = seqAt(document, 'covers');
  const written = new Map(seq.items.flatMap((item) => (isNode(item) ? [[coverName(item), item] as const] : [])));
  const old = seq.items.map((item) => (isNode(item) ? coverText(item) : ''));
  const nodes = covers.map((cover) => {
    const node = written.get(cover.cells);
    return node !== undefined && coverText(node) === textOfCover(cover) ? node : coverNode(document, cover, node);
  });
  if (nodes.length === old.length && nodes.every((node, index) => coverText(node) === old[index])) return;
  seq.items = nodes;
  seq.flow = false;
}

function coverNode(document: Document, { cells, trials }: Cover, old: Node | undefined): Node {
  const node = document.createNode(trials === null ? cells : { cells, trials }, { flow: true });
  return withCommentsOf(old, node);
}

/** The pattern of an entry of `covers`, whichever form it has. */
export function coverName(node: Node): string {
  return String(isMap(node) ? node.get('cells') : isScalar(node) ? node.value : '');
}

function coverText(node: Node): string {
  return textOfCover({ cells: coverName(node), trials: isMap(node) ? Number(node.get('trials')) : null });
}

const textOfCover = ({ cells, trials }: Cover): string => `${String(trials)} ${cells}`;

/** Changes entries of `wire` by model and sorts the list, which stands above `expect`. */
export function setWire(document: Document, changes: ReadonlyMap<string, WireEntry>): void {
  if (changes.size === 0) return;
  const seq = document.has('wire') ? seqAt(document, 'wire') : new YAMLSeq();
  if (!document.has('wire')) insertAfterCovers(document, seq);
  const lines = new Map(seq.items.flatMap((item) => (isMap(item) ? [[String(item.get('model')), item] as const] : [])));
  for (const [model, entry] of changes) {
    const node = document.createNode(wireLine(entry), { flow: true });
    lines.set(model, withCommentsOf(lines.get(model), node));
  }
  seq.items = [...lines].sort(([one], [other]) => (one < other ? -1 : Number(one > other))).map(([, node]) => node);
  seq.flow = false;
}

function insertAfterCovers(document: Document, seq: YAMLSeq): void {
  document.set('wire', seq);
  if (!isMap(document.contents)) return;
  const { items } = document.contents;
  const name = (at: number): string => String(isScalar(items[at]?.key) ? items[at].key.value : items[at]?.key);
  const covers = items.findIndex((_, at) => name(at) === 'covers');
  const [pair] = items.splice(items.length - 1, 1);
  if (pair !== undefined) items.splice(covers + 1, 0, pair);
}

function wireLine({ model, quirks, only, sometimes }: WireEntry): object {
  return {
    model,
    ...(quirks === null ? {} : { quirks }),
    ...(Object.keys(only).length > 0 && { only }),
    ...(sometimes.length > 0 && { sometimes }),
  };
}

/**
 * Changes the entries of a list by key and sorts the list. An entry that replaces another keeps its comments; an empty
 * list is not written unless it was there before.
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
    // The parser gives the comment above the first entry to the list, where it would stay when the entry moves.
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
  const [top] = seq.items;
  // An empty line above the entry that is now first would be added again at each rendering.
  if (isMap(top)) top.spaceBefore = false;
  seq.flow = seq.items.length === 0;
  if (!existed && seq.items.length === 0) document.delete(list);
}

/** The members of an entry that have a value, in reading order. */
export function entryLine(entry: BaselineEntry): Line {
  const { key, verdict, class: shown, reason, status, passed, total, threshold, date } = entry;
  const { provisional, note, link } = entry;
  const line = { key, verdict, class: shown, reason, status, passed, total, threshold, ...edgeLine(entry), date };
  return withoutNull({ ...line, provisional: provisional ? true : null, note, link });
}

export function thresholdLine({ key, value, fails_at, date, note, link }: StoredThreshold): Line {
  return withoutNull({ key, value, ...edgeLine({ fails_at }), date, note, link });
}

const edgeLine = ({ fails_at }: { readonly fails_at?: FailsAt | undefined }) => ({ fails_at: fails_at ?? null });

function withoutNull(line: Readonly<Record<string, string | number | boolean | null>>): Line {
  return Object.fromEntries(Object.entries(line).flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
}

function lineNode(document: Document, line: Line, old: YAMLMap | undefined): YAMLMap {
  const node = document.createNode(line, { flow: true }) as YAMLMap;
  for (const { value } of node.items) {
    if (isScalar(value) && typeof value.value === 'string' && value.value.includes('\n')) value.type = 'QUOTE_DOUBLE';
  }
  return withCommentsOf(old, node);
}

function withCommentsOf<T extends Node>(old: Node | undefined, node: T): T {
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
