import { existsSync } from 'node:fs';
import { stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.js';
import { makeFolder } from './make-folder.js';

test('makes a folder and those above it', async () => {
  const root = await tempFolder();
  await makeFolder(join(root, 'a', 'b', 'c'));
  await makeFolder(join(root, 'a', 'b', 'c'));
  expect((await stat(join(root, 'a', 'b', 'c'))).isDirectory()).toBe(true);
});

test('accepts a link to a folder', async () => {
  const root = await tempFolder();
  await symlink(root, join(root, 'link'));
  await makeFolder(join(root, 'link'));
  await makeFolder(join(root, 'link', 'x'));
  expect((await stat(join(root, 'x'))).isDirectory()).toBe(true);
});

test('many at once make one', async () => {
  const folder = join(await tempFolder(), 'a', 'b', 'c', 'd');
  await Promise.all(Array.from({ length: 20 }, () => makeFolder(folder)));
  expect((await stat(folder)).isDirectory()).toBe(true);
});

test.each([
  ['file', 'EEXIST'],
  ['file/below', 'EEXIST'],
  ['broken', 'EEXIST'],
])('rejects %s with %s', async (name, code) => {
  const root = await tempFolder();
  await writeFile(join(root, 'file'), '');
  await symlink(join(root, 'nothing'), join(root, 'broken'));
  await expect(makeFolder(join(root, name))).rejects.toMatchObject({ code });
});

test.skipIf(!existsSync('/proc/self'))('ends where the system denies that the folder above exists', async () => {
  await expect(makeFolder('/proc/nowhere/run')).rejects.toMatchObject({ code: 'ENOENT' });
});
