import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aReport } from '../../test/support/build.js';
import { tempFolder } from '../../test/support/temp-folder.js';
import { readReport } from './run-folder.js';

/** What is said of a report.json that holds this. */
async function saidOf(text: string): Promise<{ readonly message: string; readonly hint: string }> {
  const folder = await tempFolder();
  await writeFile(join(folder, 'report.json'), text);
  return readReport(folder).then(
    () => ({ message: '', hint: '' }),
    (error: unknown) => error as { readonly message: string; readonly hint: string },
  );
}

test('the step for a report of another version is that version, and no search for who cut it', async () => {
  expect((await saidOf('{"format":"chatspec-report/9"}')).hint).toMatch(/^another version of chatspec wrote it/);
  expect((await saidOf('')).hint).toMatch(/cut or changed/);
});

test('says what a file without a format lacks, and names the place of a misfit once', async () => {
  expect((await saidOf('{}')).message).toContain('it has no "format", which is "chatspec-report/1" in a report');
  const report = aReport();
  const { message } = await saidOf(JSON.stringify({ ...report, run: { ...report.run, seed: 'x' } }));
  expect(message).toMatch(/expected .*, found the text "x" at run\.seed/);
});
