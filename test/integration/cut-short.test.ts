import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../src/index.js';
import { chatspec, writeFiles } from '../support/cli.js';
import { lastingFolder } from '../support/lasting-folder.js';

/** What is said of runs that were stopped, continued, or joined without all of their shards. */

let folder: string;
const run = async (line: string) => chatspec(line.split(' '), { cwd: folder });
const reportIn = async (name: string) =>
  JSON.parse(await readFile(join(folder, name, 'report.json'), 'utf8')) as Report;

beforeAll(async () => {
  folder = await lastingFolder();
  const hello = 'request: { messages: [{ role: user, content: Say hello. }] }';
  await writeFiles(folder, {
    'chatspec.yaml':
      'targets: { demo: { base_url: simulator, models: [sim-reference, sim-object-500, sim-huge] } }\nsuites: [shop.yaml]\nbaseline: baseline.yaml\nbudget: { requests: 100 }\n',
    'mute.yaml': 'targets: { demo: { base_url: simulator, models: [sim-no-usage] } }\nsuites: [many.yaml]\n',
    'spare.yaml': 'targets: { demo: { base_url: simulator, models: [sim-reference] } }\nsuites: [many.yaml]\n',
    'many.yaml': `suite: many\nprobes: { hello: { ${hello.replace(/ }$/, ', max_tokens: 2000 }')}, trials: 20 } }\n`,
    'shop.yaml': `suite: shop\nprobes: { hello: { ${hello} }, again: { ${hello} } }\n`,
  });
});

describe('a run that its budget stopped', () => {
  beforeAll(async () => {
    expect((await run('run --out short --budget-requests 3')).code).toBe(3);
  });

  test.each(['baseline accept short', 'baseline accept short --dry-run'])('is no baseline: %s', async (line) => {
    const { code, stdout, stderr } = await run(line);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('the run is truncated: its budget stopped it before everything was asked');
    expect(existsSync(join(folder, 'baseline.yaml'))).toBe(false);
  });

  test('advises no command that is refused', async () => {
    for (const format of ['terminal', 'issue']) {
      expect((await run(`report short --format ${format}`)).stdout).not.toContain('baseline accept');
    }
  });
});

test('a run whose budget allows no request prints one sentence and how to go on, and no matrix', async () => {
  const { code, stdout } = await run('run --out none --budget-tokens 1');
  expect(code).toBe(3);
  expect(stdout).toMatch(/^▼ Nothing was measured\n/);
  expect(stdout).not.toContain('✓');
  expect(stdout).toContain('chatspec run --resume --out none');
  expect((await reportIn('none')).run.stops).toMatchObject([{ kind: 'budget', unit: 'tokens' }]);
});

describe('a run that is continued', () => {
  test('says first that it is complete, and shows no progress of what was asked before', async () => {
    await run('run --out whole');
    const { code, stderr } = await run('run --resume --out whole');
    expect(code).toBe(0);
    expect(
      stderr
        .split('\n')
        .filter((line) => line.startsWith('chatspec:'))
        .slice(0, 3),
    ).toEqual([
      expect.stringContaining('warning'),
      'chatspec: the run in whole is complete; what it recorded is not asked again',
      'chatspec: nothing was sent: every answer had been recorded',
    ]);
    expect(stderr).not.toMatch(/\d cells, /);
    expect(stderr).not.toContain('asked once more');
  });

  test('counts what it had asked before, once it asks more', async () => {
    await run('run --out part --budget-requests 4');
    const { stderr } = await run('run --resume --out part --budget-requests 50');
    const [last = ''] = stderr.match(/\d+ of 50 requests(?! used)/g)?.slice(-1) ?? [];
    expect(last).toBe(`${(await reportIn('part')).run.requests} of 50 requests`);
  });
});
