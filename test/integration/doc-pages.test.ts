import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { markdownFiles, projectFolder, textOf } from '../support/documents.js';
import { runPage } from '../support/pages/run-page.js';

/** Pages that show commands with their output. */
const pages = markdownFiles().filter((file) => textOf(file).includes('\n```console'));

/** CHATSPEC_WRITE_PAGES=1 writes the real output into the pages instead of comparing it. */
const writes = process.env['CHATSPEC_WRITE_PAGES'] === '1';

test('the demo of the README shows what the built program prints (npm run pages writes it)', async () => {
  const script = `${projectFolder}/scripts/demo.mjs`;
  const { demo } = (await import(script)) as { demo: () => string };
  expect(textOf('docs/images/demo.svg')).toBe(demo());
});

test.each(pages)('%s shows what its commands print, one after the other in an empty folder', async (file) => {
  const { text, wrongExits } = await runPage(file);
  if (writes) await writeFile(join(projectFolder, file), text);
  expect(wrongExits).toEqual([]);
  expect(textOf(file)).toBe(text);
});
