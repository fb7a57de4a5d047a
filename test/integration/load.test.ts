import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Report } from '../../src/index.js';
import { chatspec, writeFiles } from '../support/cli.js';
import { tempFolder } from '../support/temp-folder.js';

/** By probe and load, the verdict of a model's cells. */
async function verdicts(limits: string, models: readonly string[]) {
  const folder = await tempFolder();
  const config = `targets: { demo: { base_url: simulator, limits: ${limits}, models: [${models.join(', ')}] } }\n`;
  await writeFiles(folder, { 'chatspec.yaml': config });
  const run = (...args: readonly string[]) => chatspec([...args, '--fail-on', 'never'], { cwd: folder });
  expect((await run('run', '--suites', 'load', '--out', 'out')).code).toBe(0);
  expect((await run('rejudge', 'out', '--out', 'again')).code).toBe(0);
  const [report, again] = await Promise.all(
    ['out', 'again'].map(async (out) => JSON.parse(await readFile(join(folder, out, 'report.json'), 'utf8')) as Report),
  );
  expect(again!.cells.map(({ key, verdict }) => [key, verdict])).toEqual(
    report!.cells.map(({ key, verdict }) => [key, verdict]),
  );
  const of = (model: string) =>
    Object.fromEntries(
      report!.cells
        .filter((cell) => cell.model === `demo/${model}`)
        .map(({ probe, point, verdict }) => [`${probe} ${point['load']}`, verdict]),
    );
  return { report: report!, of };
}

test('answers that are right alone and crossed under load are found, with the load up to which they are right', async () => {
  const { report, of } = await verdicts('{ concurrency: 32 }', ['sim-crossed-under-load', 'sim-slow-under-load']);
  const forms = ['chat', 'json-schema', 'tools'];
  const each = (load: string, verdict: string) => forms.map((form) => [`${form} ${load}`, verdict] as const);
  const right = { ...Object.fromEntries([...each('1', 'pass'), ...each('8', 'pass'), ...each('32', 'pass')]) };
  expect(of('sim-slow-under-load')).toEqual(right);
  expect(of('sim-crossed-under-load')).toEqual({ ...right, 'chat 32': 'fail', 'json-schema 32': 'fail' });
  const found = report.capabilities.filter(({ model }) => model === 'demo/sim-crossed-under-load');
  expect(found.map(({ capability, condition }) => [capability, condition])).toEqual([
    ['load.chat', 'load <= 8'],
    ['load.json_schema', 'load <= 8'],
    ['load.tools', null],
  ]);
  const cell = report.cells.find(({ key }) => key === 'load/chat[load=32]@demo/sim-crossed-under-load')!;
  expect({ class: cell.class, of: cell.exchanges.length % 32 }).toEqual({ class: 'rule_violation', of: 0 });
});

test('more at once than the limits allow makes no cell', async () => {
  const { of } = await verdicts('{ concurrency: 8, requests_per_minute: 100000 }', ['sim-crossed-under-load']);
  expect(of('sim-crossed-under-load')).toMatchObject({ 'chat 8': 'pass' });
  expect(of('sim-crossed-under-load')).not.toHaveProperty('chat 32');
});
