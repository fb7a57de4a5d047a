import { cp, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chatspec } from '../support/cli.js';
import { tempFolder } from '../support/temp-folder.js';

/** The example that README shows is what today's chatspec makes of its journal. `npm run example` makes it anew. */

const example = 'reports/example';
const run = join('reports', 'runs', 'night-5');

test('the tracked example report is current', { timeout: 120_000 }, async () => {
  const cwd = await tempFolder();
  await cp(example, cwd, { recursive: true });
  await rename(join(cwd, run), join(cwd, 'asked'));
  const { code } = await chatspec(['rejudge', 'asked', '--out', run], { cwd });
  expect(code).toBe(1);
  for (const file of ['summary.json', 'report.json', 'report.md', 'index.html']) {
    const [made, tracked] = await Promise.all([
      readFile(join(cwd, run, file), 'utf8'),
      readFile(join(example, run, file), 'utf8'),
    ]);
    // Not toBe: the difference of two pages of 300 kB tells nobody anything.
    expect(made === tracked, `${file} differs: npm run example`).toBe(true);
  }
  const page = await readFile(join(example, run, 'index.html'), 'utf8');
  expect(page).toContain('The last 5 runs, the newest first');
  expect(page).toMatch(/<tr><th scope="row">[^\n]*<svg class="spark"/);
});
