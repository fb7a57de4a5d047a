import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { groupBy } from '../../json/group-by.js';

/** How one list of the file changed, entry by entry. */
export interface ListChanges {
  /** `expect`, `covers`, ...: any list of the file. */
  readonly list: string;
  readonly added: readonly Entry[];
  readonly changed: readonly EntryChange[];
  readonly removed: readonly Entry[];
  /** How many entries say what they said before. */
  readonly kept: number;
}

export interface Entry {
  /** The cell, pattern or model that it is about. */
  readonly name: string;
  readonly entry: unknown;
}

export interface EntryChange {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** In this order; lists that this version does not know come last. */
const listsFirst = ['expect', 'thresholds', 'wire', 'covers'];

/**
 * What the lists of two texts of a baseline have in common and what not. It is read from the texts themselves, so that it
 * is true of the file whatever was meant to be written. Comments and the way of writing do not count.
 * @param before null: there was no file
 */
export function listChanges(before: string | null, after: string): readonly ListChanges[] {
  const [old, now] = [listsOf(before ?? ''), listsOf(after)];
  const lists = [...new Set([...listsFirst, ...now.keys(), ...old.keys()])];
  return lists.flatMap((list) => {
    const [was, is] = [old.get(list), now.get(list)];
    return was === undefined && is === undefined ? [] : [changesOf(list, was ?? [], is ?? [])];
  });
}

function changesOf(list: string, before: readonly Entry[], after: readonly Entry[]): ListChanges {
  const [old, now] = [groupBy(before, ({ name }) => name), groupBy(after, ({ name }) => name)];
  const changes = [...new Set([...old.keys(), ...now.keys()])].map((name) => {
    const [left, kept] = withoutTwins(old.get(name) ?? [], now.get(name) ?? []);
    const twice = Math.min(left.old.length, left.now.length);
    return {
      kept,
      added: left.now.slice(twice),
      removed: left.old.slice(twice),
      changed: left.old
        .slice(0, twice)
        .map(({ entry }, index): EntryChange => ({ name, before: entry, after: left.now[index]?.entry })),
    };
  });
  return {
    list,
    added: changes.flatMap(({ added }) => added),
    changed: changes.flatMap(({ changed }) => changed),
    removed: changes.flatMap(({ removed }) => removed),
    kept: changes.reduce((sum, { kept }) => sum + kept, 0),
  };
}

/** Takes away the entries that both sides have, and counts them. */
function withoutTwins(old: readonly Entry[], now: readonly Entry[]) {
  const rest = [...old];
  const fresh = now.filter(({ entry }) => {
    const twin = rest.findIndex((one) => isDeepStrictEqual(one.entry, entry));
    if (twin >= 0) rest.splice(twin, 1);
    return twin < 0;
  });
  return [{ old: rest, now: fresh }, now.length - fresh.length] as const;
}

function listsOf(text: string): ReadonlyMap<string, readonly Entry[]> {
  const data: unknown = parse(text, { maxAliasCount: -1 });
  if (typeof data !== 'object' || data === null) return new Map();
  return new Map(
    Object.entries(data).flatMap(([list, entries]) =>
      Array.isArray(entries)
        ? [[list, entries.map((entry: unknown) => ({ name: nameOf(entry), entry }))] as const]
        : [],
    ),
  );
}

function nameOf(entry: unknown): string {
  if (typeof entry !== 'object' || entry === null) return String(entry);
  const { key, cells, model } = entry as Readonly<Record<string, unknown>>;
  const name = key ?? cells ?? model;
  return typeof name === 'string' ? name : JSON.stringify(entry);
}
