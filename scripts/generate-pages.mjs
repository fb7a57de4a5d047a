// Puts what the commands in the documents print below them. It runs each command, as the test of the pages does.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { load } from './load-module.mjs';

const { markdownFiles, playPage } = await load('test/support/documents.ts', 'test/support/pages/play-page.ts');

for (const file of markdownFiles()) {
  const path = fileURLToPath(new URL(`../${file}`, import.meta.url));
  const before = await readFile(path, 'utf8');
  if (!before.includes('\n```console')) continue;
  const { wrongExits, text } = await playPage(before);
  for (const wrong of wrongExits) console.error(`${file}: ${wrong}`);
  if (text !== before) await writeFile(path, text);
}
