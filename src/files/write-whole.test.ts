import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.js';
import { writeWhole } from './write-whole.js';

test('leaves the file as it was, and nothing beside it, when its text cannot be made', async () => {
  const folder = await tempFolder();
  const file = join(folder, 'report.json');
  await writeWhole(file, '{}');
  const broken = (async function* () {
    yield await Promise.resolve('half');
    throw new Error('the disk is gone');
  })();
  await expect(writeWhole(file, broken)).rejects.toThrow('the disk is gone');
  expect(await readFile(file, 'utf8')).toBe('{}');
  expect(await readdir(folder)).toEqual(['report.json']);
});
