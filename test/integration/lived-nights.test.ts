import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Report } from '../../src/index.js';
import { chatspec, writeFiles } from '../support/cli.js';
import { serveHttp } from '../support/loopback.js';
import { tempFolder } from '../support/temp-folder.js';

/** Nights of one model, one after another. An answer fails where its number, of all answers to that cell, says so. */

const names = ['a', 'b', 'c', 'd', 'e', 'f'];
const schema = '{ type: object, properties: { x: { type: string } }, required: [x], additionalProperties: false }';
const format = `{ type: json_schema, json_schema: { name: x, strict: true, schema: ${schema} } }`;
const probe = (name: string) =>
  `  ${name}: { request: { messages: [{ role: user, content: ${name} }], response_format: ${format} } }\n`;
const suite = `suite: s\nprobes:\n${names.map(probe).join('')}`;

async function openNights() {
  const counts = new Map<string, number>();
  let isWrong: (name: string, count: number) => boolean = () => false;
  const service = await serveHttp((_, response, body) => {
    response.setHeader('content-type', 'application/json');
    if (body === '') return void response.end('{"data":[{"id":"m"}]}');
    const { messages } = JSON.parse(body) as { readonly messages: readonly { readonly content: string }[] };
    const name = messages.at(-1)?.content ?? '';
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    const message = { role: 'assistant', content: isWrong(name, count) ? '{"x":1}' : '{"x":"y"}' };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    response.end(JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model: 'm', choices }));
  });
  onTestFinished(() => service.close());
  const cwd = await tempFolder();
  await writeFiles(cwd, {
    's.yaml': suite,
    'chatspec.yaml': `targets: { t: { base_url: '${service.baseUrl}', models: [m] } }\nsuites: [s.yaml]\nbaseline: baseline.yaml\n`,
  });
  const ask = (line: string) => chatspec(line.split(' '), { cwd });
  let night = 0;
  return {
    ask,
    fail: (wrong: typeof isWrong) => void (isWrong = wrong),
    run: async () => {
      night += 1;
      const out = `reports/runs/n${String(night).padStart(2, '0')}`;
      const { code, stdout } = await ask(`run --seed ${night} --out ${out}`);
      const report = JSON.parse(await readFile(join(cwd, out, 'report.json'), 'utf8')) as Report;
      const markdown = await readFile(join(cwd, out, 'report.md'), 'utf8');
      const issue = (await ask(`report ${out} --format issue`)).stdout;
      const cell = (name: string) => report.cells.find((one) => one.key === `s/${name}@t/m`)!;
      return { code, texts: { stdout, markdown, issue }, cell };
    },
  };
}

test('a cell that passes six times in ten is named every night, and never called as accepted', async () => {
  const nights = await openNights();
  await nights.run();
  await nights.ask('baseline accept reports/latest');
  await nights.run();
  nights.fail((name, count) => name === 'a' && (count % 5 === 2 || count % 5 === 4));
  const standings: unknown[] = [];
  for (let night = 0; night < 8; night += 1) {
    const { texts, cell } = await nights.run();
    const { standing, unsettled, evidence } = cell('a');
    standings.push(standing);
    expect(unsettled || standing !== 'as_expected', `night ${night}`).toBe(true);
    for (const [name, text] of Object.entries(texts)) expect(text, `${name} of night ${night}`).toContain('s/a@t/m');
    expect(texts.stdout.trimStart().startsWith('✓'), `night ${night}`).toBe(false);
    expect(evidence!.known[1] + evidence!.doubt.reduce((sum, { total }) => sum + total, 0)).toBeGreaterThan(10);
  }
  expect(standings.at(-1)).toBe('unreliable');
});

test('after a fault that many cells shared and that was repaired, nothing flaky is accepted', async () => {
  const nights = await openNights();
  await nights.run();
  await nights.ask('baseline accept reports/latest');
  await nights.run();
  await nights.run();
  nights.fail((name) => name !== 'f');
  const broken = await nights.run();
  expect(broken.code).toBe(1);
  expect(names.filter((name) => broken.cell(name).same_cause_as !== undefined).length).toBe(4);
  nights.fail(() => false);
  const repaired = await nights.run();
  expect(repaired.code).toBe(0);
  for (const name of names) {
    const { standing, evidence } = repaired.cell(name);
    expect({ standing, doubt: evidence!.doubt, failed: evidence!.known[1] - evidence!.known[0] }, name).toEqual({
      standing: 'as_expected',
      doubt: [],
      failed: 0,
    });
  }
  await nights.ask('baseline accept reports/latest');
  const { stdout } = await nights.ask('baseline accept reports/latest --dry-run --json');
  expect(stdout).not.toContain('flaky');
});
