import { isDeepStrictEqual } from 'node:util';
import {
  Document,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parse,
  parseDocument,
  stringify,
  visit,
} from 'yaml';

/** An entry of a list, as YAML data. */
export type Entry = string | Readonly<Record<string, unknown>>;

/** The lists of a baseline file, in the order in which a new file has them. */
const listNames = ['covers', 'wire', 'expect', 'thresholds'] as const;
export type ListName = (typeof listNames)[number];

/** By list; a list that is absent is not in the file. */
export type Lists = Readonly<Partial<Record<ListName, readonly Entry[] | undefined>>>;

/** The cell, pattern or model that an entry is about. */
export function nameOf(entry: unknown): string {
  if (typeof entry !== 'object' || entry === null) return String(entry);
  const { key, cells, model } = entry as Readonly<Record<string, unknown>>;
  const name = key ?? cells ?? model;
  return typeof name === 'string' ? name : JSON.stringify(entry);
}

/** The lists of a text of a baseline. */
export function listsOf(text: string | null): Lists {
  const data: unknown = text === null ? null : parse(text, { maxAliasCount: -1 });
  if (typeof data !== 'object' || data === null) return {};
  return Object.fromEntries(Object.entries(data).filter(([, entries]) => Array.isArray(entries)));
}

/**
 * The text of a baseline with these lists. So that a pull request shows only what changed, every entry that says the same
 * as before, and all beside the lists, stays as it was written, with its comments. A new entry takes one line.
 * @param old null: there is no file yet
 */
export function textWith(lists: Lists, old: string | null): string {
  const whole = plainText(lists, old);
  if (old === null) return whole;
  const text = listNames.reduce(
    (now, list) => (lists[list] === undefined ? now : withList(now, list, lists[list])),
    old.replaceAll('\r\n', '\n'),
  );
  // Where the file was written in an unusual way, such as with anchors, its meaning matters more than its style.
  return isSame(text, whole) ? text : whole;
}

function isSame(text: string, whole: string): boolean {
  try {
    return isDeepStrictEqual(parse(text, { maxAliasCount: -1 }), parse(whole));
  } catch {
    return false;
  }
}

function plainText(lists: Lists, old: string | null): string {
  const before = (old === null ? { format: 'chatspec-baseline/1' } : parse(old, { maxAliasCount: -1 })) as object;
  return Object.entries({ ...before, ...orderedLists(lists) })
    .map(([name, value]) => (Array.isArray(value) ? listText(name, value as Entry[]) : stringify({ [name]: value })))
    .join('');
}

const orderedLists = (lists: Lists): Lists =>
  Object.fromEntries(listNames.flatMap((name) => (lists[name] === undefined ? [] : [[name, lists[name]]])));

const listText = (name: string, entries: readonly Entry[]): string =>
  entries.length === 0 ? `${name}: []\n` : `${name}:\n${entries.map((entry) => `  - ${oneLine(entry)}\n`).join('')}`;

/** However long it is, and whatever line breaks its texts contain. */
export function oneLine(entry: unknown): string {
  const document = new Document(entry);
  visit(document, {
    Collection: (_, node) => void (node.flow = true),
    Scalar: (_, node) => {
      if (String(node.value).includes('\n')) node.type = 'QUOTE_DOUBLE';
    },
  });
  const style = { lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER };
  return document.toString({ ...style, flowCollectionPadding: true }).trimEnd();
}

/** The text with another list of this name. */
function withList(text: string, list: ListName, entries: readonly Entry[]): string {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter });
  const lines = text.split('\n');
  const pair = isMap(document.contents) ? document.contents.items.find(({ key }) => keyOf(key) === list) : undefined;
  const lineOf = (offset: number): number => counter.linePos(offset).line - 1;
  if (pair === undefined) {
    const at = lineAfter(list, document, lineOf) ?? lines.length - 1;
    return [...lines.slice(0, at), ...listText(list, entries).trimEnd().split('\n'), ...lines.slice(at)].join('\n');
  }
  const { value } = pair;
  if (!isSeq(value)) return text;
  const before: readonly unknown[] = value.toJS(document, { maxAliasCount: -1 }) as unknown[];
  if (isDeepStrictEqual(before, entries)) return text;
  const isBlock = value.flow !== true && value.items.length > 0;
  const head = lineOf((pair.key as { readonly range: readonly [number, number, number] }).range[0]);
  if (!isBlock || entries.length === 0) {
    const end = lineOf(value.range[1] - 1);
    return [...lines.slice(0, head), ...listText(list, entries).trimEnd().split('\n'), ...lines.slice(end + 1)].join(
      '\n',
    );
  }
  // Each entry with the comments above it.
  let next = head + 1;
  const written = value.items.map((item, index) => {
    const [start, end] = (item as { readonly range: readonly [number, number, number] }).range;
    const first = lineOf(text.lastIndexOf('-', start));
    const last = Math.max(first, lineOf(text[end - 1] === '\n' ? end - 1 : end));
    const one = { above: lines.slice(next, first), own: lines.slice(first, last + 1), entry: before[index] };
    next = last + 1;
    return one;
  });
  const byName = new Map(written.map((one) => [nameOf(one.entry), one]));
  const indent = /^ */.exec(written[0]?.own[0] ?? '')?.[0] ?? '  ';
  const body = entries.flatMap((entry) => {
    const known = byName.get(nameOf(entry));
    const own =
      known !== undefined && isDeepStrictEqual(known.entry, entry) ? known.own : [`${indent}- ${oneLine(entry)}`];
    return [...(known?.above ?? []), ...own];
  });
  while (body[0]?.trim() === '') body.shift();
  return [...lines.slice(0, head + 1), ...body, ...lines.slice(next)].join('\n');
}

const keyOf = (key: unknown): string => String(isScalar(key) ? key.value : key);

/** The line below the last list that stands above this one; null: there is none. */
function lineAfter(list: ListName, document: Document, lineOf: (offset: number) => number): number | null {
  const above = listNames.slice(0, listNames.indexOf(list)).toReversed();
  for (const name of above) {
    const node: unknown = document.get(name, true);
    if (isCollection(node) && node.range) return lineOf(node.range[1] - 1) + 1;
  }
  return null;
}
