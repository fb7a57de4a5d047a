import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const foldersIn = (path: string): string[] =>
  readdirSync(new URL(path, root), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

/** Each room of the tree in ARCHITECTURE.md with the folders that are listed below it. */
function roomsInTree(): Map<string, string[]> {
  const [, tree = ''] = readFileSync(new URL('ARCHITECTURE.md', root), 'utf8').split('```\n');
  const rooms = new Map<string, string[]>();
  let folders: string[] = [];
  for (const line of tree.split('\n')) {
    const [, room] = /^src\/([\w-]+)\s/.exec(line) ?? [];
    if (room !== undefined) rooms.set(room, (folders = []));
    // A comment may name files with slashes, too: only what stands in the column of names counts.
    else folders.push(...[...(/^  ((?:[\w-]+\/(?:, )?)+)/.exec(line)?.[1]?.matchAll(/[\w-]+(?=\/)/g) ?? [])].flat());
  }
  return rooms;
}

test('the tree in ARCHITECTURE.md shows every room of src and every folder in it', () => {
  const rooms = roomsInTree();
  expect([...rooms.keys()].sort()).toEqual(foldersIn('src'));
  for (const [room, folders] of rooms)
    expect({ room, folders: folders.sort() }).toEqual({ room, folders: foldersIn(`src/${room}`) });
});
