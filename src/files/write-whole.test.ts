import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.js';
import { unfinishedName, writeWhole } from './write-whole.js';

test('sweeps what a kill has left of the same file, and nothing that is being written', async () => {
  const folder = await tempFolder();
  const file = join(folder, 'report.json');
  const [, host = ''] = /\.([0-9a-f]{8})-\d+-\d+\.tmp$/.exec(unfinishedName(file)) ?? [];
  const own = basename(unfinishedName(file));
  // No process has an id beyond 4,194,304.
  const ended = `report.json.${host}-99999999-1.tmp`;
  const running = `report.json.${host}-${process.ppid}-1.tmp`;
  const elsewhere = { old: 'report.json.00000000-1-1.tmp', fresh: 'report.json.00000000-1-2.tmp' };
  const another = `report.md.${host}-99999999-1.tmp`;
  const all = [own, ended, running, elsewhere.old, elsewhere.fresh, another];
  for (const name of all) await writeFile(join(folder, name), '{');
  const anHourAgo = new Date(Date.now() - 3_600_000);
  await utimes(join(folder, elsewhere.old), anHourAgo, anHourAgo);

  await writeWhole(file, '{}');
  expect(await readFile(file, 'utf8')).toBe('{}');
  expect((await readdir(dirname(file))).sort()).toEqual(['report.json', own, running, elsewhere.fresh, another].sort());
});
