import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.js';
import { UserError } from '../../files/problems/problem.js';
import { writableFolder } from './writable.js';

const refusing = (code: string) => () => Promise.reject(Object.assign(new Error(`${code}: refused`), { code }));
const fine = () => Promise.resolve();

describe('writableFolder', () => {
  test('makes what is missing, and takes what is there', async () => {
    const folder = join(await tempFolder(), 'a', 'b');
    await writableFolder(folder);
    await writableFolder(folder);
    expect((await stat(folder)).isDirectory()).toBe(true);
  });

  test.each([
    ['file', 'file cannot be written to: a file stands there'],
    ['file/below', 'below cannot be written to: a part of the path is a file'],
  ])('refuses %s', async (path, said) => {
    const folder = await tempFolder();
    await writeFile(join(folder, 'file'), '');
    const refused = writableFolder(join(folder, path));
    await expect(refused).rejects.toThrow(UserError);
    await expect(refused).rejects.toThrow(said);
    await expect(refused).rejects.toThrow(folder);
  });

  test.each([
    ['EACCES', 'permission denied'],
    ['EROFS', 'read-only'],
  ])('refuses %s, whether it may not be made or not be written to', async (code, said) => {
    await expect(writableFolder('/x', { make: refusing(code), checkWritable: fine })).rejects.toThrow(said);
    const refused = writableFolder('/x', { make: fine, checkWritable: refusing(code) });
    await expect(refused).rejects.toThrow(UserError);
    await expect(refused).rejects.toThrow(said);
  });

  test('leaves a full disk what it is', async () => {
    const full = writableFolder('/x', { make: refusing('ENOSPC'), checkWritable: fine });
    await expect(full).rejects.not.toBeInstanceOf(UserError);
  });
});
