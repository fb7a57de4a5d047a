import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);

test('the tree in ARCHITECTURE.md shows every room of src, and no other', () => {
  const [, tree = ''] = readFileSync(new URL('ARCHITECTURE.md', root), 'utf8').split('```\n');
  const shown = [...tree.matchAll(/^src\/([\w-]+) /gm)].map(([, room]) => room);
  const rooms = readdirSync(new URL('src/', root), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(shown.toSorted()).toEqual(rooms.map(({ name }) => name).toSorted());
});
