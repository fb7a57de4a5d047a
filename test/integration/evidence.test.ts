import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { EvidenceBundle } from '../../src/report/evidence/evidence-bundle.js';
import { chatspec, writeFiles } from '../support/cli.js';
import { aCompletion } from '../support/build.js';
import { lastingFolder } from '../support/lasting-folder.js';
import { serveHttp } from '../support/loopback.js';

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

test('failing answers come first, each with its error, however many they are', async () => {
  const fenced = '```json\n{}\n```';
  const service = await serveHttp((_, response, body) => {
    // Two of three rows fail; what the client retries passes.
    const { temperature } = JSON.parse(body) as { temperature?: number };
    const isGood = temperature === 0 || /Row \d*[0369]\./.test(body);
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(aCompletion({ message: { content: isGood ? '{}' : fenced } }));
  });
  const rows = Array.from({ length: 18 }, (_, row) => `{"text":"Row ${row + 1}."}\n`).join('');
  const own = await lastingFolder();
  await writeFiles(own, {
    'chatspec.yaml': `targets: { s: { base_url: '${service.baseUrl}', models: [m] } }\nsuites: [own.yaml]\n`,
    'own.yaml': [
      'suite: own',
      'probes:',
      '  rows:',
      '    request: { messages: [{ role: user, content: "{{text}}" }] }',
      '    samples: rows.jsonl',
      '    expect: { content: json }',
      '    trials: 18',
      '    retry: { on: [not_json], max: 1, temperature: 0 }',
      '',
    ].join('\n'),
    'rows.jsonl': rows,
  });
  await chatspec(['run', '--trials', '18', '--out', 'r'], { cwd: own });
  await service.close();
  const { stdout } = await chatspec(['evidence', 'r', 'own/rows', '--json'], { cwd: own });
  const { cell, exchanges, of } = JSON.parse(stdout) as EvidenceBundle;
  const failed = (cell?.trials.total ?? 0) - (cell?.trials.passed ?? 0);
  expect([failed, of, exchanges.length]).toEqual([12, 30, 20]);
  const isFenced = exchanges.map(({ response }) => response.body.includes('```'));
  expect(isFenced).toEqual(exchanges.map((_, index) => index < failed));
  expect(exchanges.map(({ error }) => error !== null)).toEqual(isFenced);
  const markdown = (await chatspec(['evidence', 'r', 'own/rows'], { cwd: own })).stdout;
  expect(markdown).toContain('20 of 30 requests of this check, failures first (repeats and control requests included)');
  const id = exchanges[failed - 1]?.exchange ?? '';
  const single = JSON.parse((await chatspec(['evidence', 'r', id, '--json'], { cwd: own })).stdout) as EvidenceBundle;
  expect(single.exchanges[0]?.error).toBe('the content is JSON inside a Markdown code fence');
});
