import { isDeepStrictEqual } from 'node:util';
import { type ListName, listsOf, nameOf, oneLine } from './baseline-text.js';

/** How one list of the file changed, entry by entry. */
export interface ListChanges {
  readonly list: ListName;
  readonly added: readonly NamedEntry[];
  readonly changed: readonly EntryChange[];
  readonly removed: readonly NamedEntry[];
  /** How many entries say what they said before. */
  readonly kept: number;
}

interface NamedEntry {
  /** The cell, pattern or model that it is about. */
  readonly name: string;
  readonly entry: unknown;
}

interface EntryChange {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** What people look for first. */
const inOrder = ['expect', 'thresholds', 'wire', 'covers'] as const;

/**
 * What the lists of two texts of a baseline have in common and what not: true of the file, whatever was meant to be written.
 * @param before null: there was no file
 */
export function listChanges(before: string | null, after: string): readonly ListChanges[] {
  const [old, now] = [listsOf(before), listsOf(after)];
  return inOrder.flatMap((list) => {
    if (old[list] === undefined && now[list] === undefined) return [];
    const [was, is] = [old, now].map((one) => new Map((one[list] ?? []).map((entry) => [nameOf(entry), entry])));
    const [mine, theirs] = [was ?? new Map<string, unknown>(), is ?? new Map<string, unknown>()];
    const both = [...theirs].filter(([name]) => mine.has(name));
    const changed = both.filter(([name, entry]) => !isDeepStrictEqual(mine.get(name), entry));
    const only = (some: ReadonlyMap<string, unknown>, others: ReadonlyMap<string, unknown>) =>
      [...some].flatMap(([name, entry]) => (others.has(name) ? [] : [{ name, entry }]));
    return [
      {
        ...{ list, added: only(theirs, mine), removed: only(mine, theirs), kept: both.length - changed.length },
        changed: changed.map(([name, entry]) => ({ name, before: mine.get(name), after: entry })),
      },
    ];
  });
}

/** Each entry that changes, as it was and as it is: "+ { key: ..., verdict: fail }". */
export function entryLines({ list, added, changed, removed }: ListChanges): readonly string[] {
  const all = [
    ...removed.map(({ entry }) => `- ${oneLine(entry)}`),
    ...changed.flatMap(({ before, after }) => [`- ${oneLine(before)}`, `+ ${oneLine(after)}`]),
    ...added.map(({ entry }) => `+ ${oneLine(entry)}`),
  ];
  return all.length === 0 ? [] : [`${list}:`, ...all];
}
