import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.js';
import { readJournal } from '../journal/read-journal.js';
import { readReport } from '../report/run-folder.js';
import { readRegular } from './read-text.js';

test('reads a file, also through a link', async () => {
  const folder = await tempFolder();
  await writeFile(join(folder, 'text'), 'grün');
  await symlink('text', join(folder, 'link'));
  expect(await readRegular(join(folder, 'link'))).toBe('grün');
});

test('does not wait for a pipe, a device or a folder', async () => {
  const folder = await tempFolder();
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  await mkdir(join(folder, 'folder'));
  await expect(readRegular(join(folder, 'pipe'))).rejects.toThrow('it is a pipe or a device, and no file');
  await expect(readRegular('/dev/zero')).rejects.toThrow('it is a pipe or a device, and no file');
  await expect(readRegular(join(folder, 'folder'))).rejects.toThrow('it is a folder');
  await expect(readRegular(join(folder, 'missing'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('nor do a report and a journal', async () => {
  const folder = await tempFolder();
  for (const name of ['report.json', 'journal.jsonl']) execFileSync('mkfifo', [join(folder, name)]);
  await expect(readReport(folder)).rejects.toThrow(/report\.json: it is a pipe/);
  const lines = readJournal(join(folder, 'journal.jsonl'));
  await expect(lines.next()).rejects.toThrow(/journal\.jsonl: .*it is a pipe/);
});
