import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { EvidenceBundle } from '../../src/report/evidence/evidence-bundle.js';
import { chatspec, writeFiles } from '../support/cli.js';
import { lastingFolder } from '../support/lasting-folder.js';

/** `evidence` shows cells, by key or pattern, and single exchanges. */

let folder: string;
beforeAll(async () => {
  folder = await lastingFolder();
  await writeFiles(folder, {
    'chatspec.yaml': 'targets: { demo: { base_url: simulator, models: [sim-reference] } }\nsuites: [shop.yaml]\n',
    'shop.yaml':
      'suite: shop\nprobes:\n  a: { request: { messages: [{ role: user, content: Hi. }] } }\n  b: { request: { messages: [{ role: user, content: Bye. }] } }\n',
  });
  await chatspec(['run', '--out', 'r'], { cwd: folder });
});

const evidence = (...asked: readonly string[]) => chatspec(['evidence', 'r', ...asked], { cwd: folder });
const bundles = async (...asked: readonly string[]) => {
  const parsed = JSON.parse((await evidence(...asked, '--json')).stdout) as EvidenceBundle | readonly EvidenceBundle[];
  return [parsed].flat() as readonly EvidenceBundle[];
};

test.each([
  [['shop/a@demo/sim-reference'], ['shop/a']],
  [['shop/*'], ['shop/a', 'shop/b']],
  [['shop/b,shop/a'], ['shop/a', 'shop/b']],
  [
    ['shop/b', 'shop/a'],
    ['shop/a', 'shop/b'],
  ],
])('%j', async (asked, probes) => {
  const found = await bundles(...asked);
  expect(found.map(({ cell }) => cell?.key)).toEqual(probes.map((probe) => `${probe}@demo/sim-reference`));
  expect(found.every(({ exchanges }) => exchanges.length === 1)).toBe(true);
});

test('an exchange by its id, of a cell or a control', async () => {
  const journal = (await readFile(join(folder, 'r', 'journal.jsonl'), 'utf8')).trim().split('\n');
  const lines = journal.map((line) => JSON.parse(line) as { type: string; id: string; cell: string | null });
  for (const { id, cell } of lines.filter(({ type }) => type === 'exchange')) {
    const [bundle] = await bundles(id);
    expect(bundle?.exchanges.map(({ exchange }) => exchange)).toEqual([id]);
    expect(bundle?.cell?.key ?? null).toBe(cell);
    expect((await evidence(id)).stdout).toContain(
      cell === null ? '# Evidence for a control' : `# Evidence for \`${cell}\``,
    );
  }
});

test('what the run does not have is an error', async () => {
  expect(await evidence('e999999')).toMatchObject({ code: 2, stdout: '' });
  expect((await evidence('e999999')).stderr).toContain('this run has no exchange e999999');
  expect((await evidence('shop/c')).stderr).toContain('the probes of the run:\n      shop/a\n      shop/b\n');
});
