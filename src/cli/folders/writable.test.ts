import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.js';
import { UserError } from '../../files/problems/problem.js';
import { writableFolder } from './writable.js';

const refusing = (code: string) => () => Promise.reject(Object.assign(new Error(`${code}: refused`), { code }));
const fine = () => Promise.resolve();

describe('writableFolder', () => {
  test('makes a missing folder and accepts an existing one', async () => {
    const folder = join(await tempFolder(), 'a', 'b');
    await writableFolder(folder);
    await writableFolder(folder);
    expect((await stat(folder)).isDirectory()).toBe(true);
  });

  test.each([
    ['file', 'file: it is a file'],
    ['file/below', 'below: part of the path is a file'],
  ])('refuses %s', async (path, reason) => {
    const folder = await tempFolder();
    await writeFile(join(folder, 'file'), '');
    const refused = writableFolder(join(folder, path));
    await expect(refused).rejects.toThrow(UserError);
    await expect(refused).rejects.toThrow(reason);
    await expect(refused).rejects.toThrow(folder);
  });

  test.each([
    ['EACCES', 'permission denied'],
    ['EROFS', 'read-only'],
  ])('refuses on %s, whether the folder cannot be made or cannot be written to', async (code, reason) => {
    await expect(writableFolder('/x', { make: refusing(code), checkWritable: fine })).rejects.toThrow(reason);
    const refused = writableFolder('/x', { make: fine, checkWritable: refusing(code) });
    await expect(refused).rejects.toThrow(UserError);
    await expect(refused).rejects.toThrow(reason);
  });

  test('passes the error of a full disk on', async () => {
    const full = writableFolder('/x', { make: refusing('ENOSPC'), checkWritable: fine });
    await expect(full).rejects.not.toBeInstanceOf(UserError);
  });
});
