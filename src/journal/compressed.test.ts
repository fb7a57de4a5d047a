import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.js';
import { compressFile, inflateFile, openForReading } from './compressed.js';

const text = Array.from({ length: 2000 }, (_, number) => `{"type":"line","number":${number}}\n`).join('');

async function packed(): Promise<string> {
  const file = join(await tempFolder(), 'journal.jsonl');
  await writeFile(file, text);
  await compressFile(file);
  return file;
}

test('a file is replaced by the compressed one, and back', async () => {
  const file = await packed();
  expect(await readdir(join(file, '..'))).toEqual(['journal.jsonl.gz']);
  expect(gunzipSync(await readFile(`${file}.gz`)).toString()).toBe(text);
  expect((await stat(`${file}.gz`)).size).toBeLessThan(text.length / 4);
  await inflateFile(file);
  expect(await readdir(join(file, '..'))).toEqual(['journal.jsonl']);
  expect(await readFile(file, 'utf8')).toBe(text);
});

test('any place of it can be read', async () => {
  const handle = await openForReading(await packed());
  const bytes = Buffer.alloc(30);
  await handle.read(bytes, 0, 30, 1000);
  await handle.close();
  expect(bytes.toString()).toBe(text.slice(1000, 1030));
});

test('a file that cannot be compressed leaves nothing beside it', async () => {
  const file = join(await tempFolder(), 'journal.jsonl');
  await expect(compressFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
  expect(await readdir(join(file, '..'))).toEqual([]);
});
