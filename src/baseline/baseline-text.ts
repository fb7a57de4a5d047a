import { isDeepStrictEqual } from 'node:util';
import { Document, parse, stringify, visit } from 'yaml';
import { compareTexts } from '../json/compare-texts.js';
import { writtenJson } from '../json/json.js';

/** An entry of a list, as YAML data. */
type BaselineListEntry = string | object;

/** The lists of a baseline file, in the order in which a new file has them. */
const listNames = ['covers', 'wire', 'expect', 'thresholds'] as const;
type ListName = (typeof listNames)[number];

type Lists = Readonly<Partial<Record<ListName, readonly BaselineListEntry[]>>>;

/** By list and name: what the entry becomes; null: it goes. */
type EntryChanges = Readonly<Record<ListName, ReadonlyMap<string, BaselineListEntry | null>>>;

/** The cell, pattern or model that an entry is about. */
function baselineEntryName(entry: unknown): string {
  if (typeof entry !== 'object' || entry === null) return String(entry);
  const { key, cells, model } = entry as Readonly<Record<string, unknown>>;
  const name = key ?? cells ?? model;
  return typeof name === 'string' ? name : writtenJson(entry);
}

const entriesByName = (entries: readonly BaselineListEntry[] = []) =>
  new Map(entries.map((entry) => [baselineEntryName(entry), entry]));

const parseBaselineYaml = (text: string): object => parse(text, { maxAliasCount: -1 }) as object;

const listsOf = (text: string | null): Lists => (text === null ? {} : parseBaselineYaml(text));

/**
 * The text of a baseline after these changes. So that a pull request shows only what changed, every entry that says the
 * same as before, and all beside the lists, stays as it was written, with its comments. A new entry takes one line.
 * @param old null: there is no file yet
 */
export function textWith(changes: EntryChanges, old: string | null): string {
  const before = listsOf(old);
  const lists = listNames.flatMap((list) => {
    const was = entriesByName(before[list]);
    const is = new Map(was);
    for (const [name, entry] of changes[list]) {
      if (entry === null) {
        is.delete(name);
      } else {
        is.set(name, entry);
      }
    }
    if (isDeepStrictEqual(was, is)) return [];
    const sorted = [...is].sort(([one], [other]) => compareTexts(one, other)).map(([, entry]) => entry);
    return [[list, sorted] as const];
  });
  const data = {
    ...(old === null ? { format: 'chatspec-baseline/1' } : parseBaselineYaml(old)),
    ...Object.fromEntries(lists),
  };
  const whole = Object.entries(data)
    .map(([name, value]) => (Array.isArray(value) ? listText(name, value) : stringify({ [name]: value as unknown })))
    .join('');
  if (old === null) return whole;
  // Where the file was written in an unusual way, such as with anchors, its meaning matters more than its style.
  try {
    const text = lists.reduce((now, [list, entries]) => withList(now, list, entries), old.replaceAll('\r\n', '\n'));
    return isDeepStrictEqual(parseBaselineYaml(text), parse(whole)) ? text : whole;
  } catch {
    return whole;
  }
}

const listText = (name: string, entries: readonly unknown[]): string =>
  entries.length === 0
    ? `${name}: []\n`
    : `${name}:\n${entries.map((entry) => `  - ${flowYamlLine(entry)}\n`).join('')}`;

/** However long it is, and whatever line breaks its texts contain. */
function flowYamlLine(entry: unknown): string {
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

/** The text with another list of this name; each entry keeps the comments above it. */
function withList(text: string, list: ListName, entries: readonly BaselineListEntry[]): string {
  const lines = text.split('\n');
  const head = lines.findIndex((line) => line.startsWith(`${list}:`));
  if (head === -1) return `${text.trimEnd()}\n${listText(list, entries)}`;
  const next = lines.findIndex((line, index) => index > head && /^[^\s#-]/.test(line));
  const inside = lines.slice(head + 1, next === -1 ? lines.length : next);
  const indent = inside.find((line) => /^ *-/.test(line))?.split('-')[0] ?? '';
  const written: { readonly above: readonly string[]; readonly own: string[] }[] = [];
  let above: string[] = [];
  for (const line of inside) {
    if (/^\s*(#|$)/.test(line)) {
      above.push(line);
      continue;
    }
    if (line.startsWith(`${indent}-`)) {
      written.push({ above, own: [line] });
    } else {
      written.at(-1)?.own.push(...above, line);
    }
    above = [];
  }
  const rest = [...above, ...lines.slice(head + 1 + inside.length)];
  if (written.length === 0 || entries.length === 0) {
    return [...lines.slice(0, head), listText(list, entries).trimEnd(), ...rest].join('\n');
  }
  const before = listsOf(text)[list]?.map(
    (entry, index) => [baselineEntryName(entry), { entry, ...written[index] }] as const,
  );
  const known = new Map(before);
  const body = entries.flatMap((entry) => {
    const { entry: was, above: comments = [], own = [] } = known.get(baselineEntryName(entry)) ?? {};
    return [...comments, ...(isDeepStrictEqual(was, entry) ? own : [`${indent}- ${flowYamlLine(entry)}`])];
  });
  while (body[0]?.trim() === '') body.shift();
  return [...lines.slice(0, head + 1), ...body, ...rest].join('\n');
}

/** How one list of the file changed, entry by entry. */
export interface ListChanges {
  readonly list: ListName;
  readonly added: readonly NamedEntry[];
  readonly changed: readonly { readonly name: string; readonly before: unknown; readonly after: unknown }[];
  readonly removed: readonly NamedEntry[];
  /** How many entries say what they said before. */
  readonly kept: number;
}

interface NamedEntry {
  /** The cell, pattern or model that it is about. */
  readonly name: string;
  readonly entry: unknown;
}

/** Members in the order in which people look for them. */
const comparedListOrder = ['expect', 'thresholds', 'wire', 'covers'] as const;

/**
 * The differences between the lists of two texts of a baseline: true of the file, whatever was meant to be
 * written.
 * @param before null: there was no file
 */
export function listChanges(before: string | null, after: string): readonly ListChanges[] {
  const [old, now] = [listsOf(before), listsOf(after)];
  return comparedListOrder.flatMap((list) => {
    if (old[list] === undefined && now[list] === undefined) return [];
    const [was, is] = [entriesByName(old[list]), entriesByName(now[list])];
    const both = [...is].filter(([name]) => was.has(name));
    const changed = both
      .map(([name, entry]) => ({ name, before: was.get(name), after: entry }))
      .filter((one) => !isDeepStrictEqual(one.before, one.after));
    const only = (some: typeof was, others: typeof was) =>
      [...some].flatMap(([name, entry]) => (others.has(name) ? [] : [{ name, entry }]));
    return [{ list, added: only(is, was), changed, removed: only(was, is), kept: both.length - changed.length }];
  });
}

/** Each entry that changes, as it was and as it is: "+ { key: ..., verdict: fail }". */
export function entryLines({ list, added, changed, removed }: ListChanges): readonly string[] {
  const all = [
    ...removed.map(({ entry }) => `- ${flowYamlLine(entry)}`),
    ...changed.flatMap(({ before, after }) => [`- ${flowYamlLine(before)}`, `+ ${flowYamlLine(after)}`]),
    ...added.map(({ entry }) => `+ ${flowYamlLine(entry)}`),
  ];
  return all.length === 0 ? [] : [`${list}:`, ...all];
}
