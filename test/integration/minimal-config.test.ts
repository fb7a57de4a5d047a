import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Report } from '../../src/index.js';
import { chatspec, type CliResult } from '../support/cli.js';
import { lastingFolder } from '../support/lasting-folder.js';

const docs = fileURLToPath(new URL('../../docs/config.md', import.meta.url));

async function reportIn(cwd: string): Promise<Report> {
  return JSON.parse(await readFile(join(cwd, 'reports/latest/report.json'), 'utf8')) as Report;
}

const absentNotes = ({ run }: Report) => run.notes.filter((note) => note.startsWith('Not asked'));

describe('the whole core with the minimal config of the documents', () => {
  let cwd: string;
  let ran: CliResult;

  beforeAll(async () => {
    cwd = await lastingFolder();
    const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(await readFile(docs, 'utf8')) ?? [];
    expect(parse(example)).toEqual({ targets: { demo: { base_url: 'simulator', models: ['sim-reference'] } } });
    await writeFile(join(cwd, 'chatspec.yaml'), example);
    ran = await chatspec(['run'], { cwd });
  });

  test('measures every cell, and ends with 0', async () => {
    const { cells, run } = await reportIn(cwd);
    expect(ran.code).toBe(0);
    expect(cells.length).toBeGreaterThan(100);
    expect(cells.filter(({ verdict }) => verdict !== 'pass').map(({ key }) => key)).toEqual([]);
    expect(run.notes.join()).not.toContain('max_unmeasured');
  });

  test('says once what was not asked, with lines that ask it', async () => {
    const report = await reportIn(cwd);
    const [note = '', ...others] = absentNotes(report);
    expect(others).toEqual([]);
    expect(note).toMatch(/^Not asked of demo\/sim-reference, .*thinking \(.*reasoning_effort \(/);
    expect(report.models[0]?.not_asked?.map(({ settings }) => settings)).toEqual(['thinking', 'reasoning_effort']);
    expect(ran.stdout).toContain(note.slice(note.indexOf('\n')).replaceAll('\n', '\n    '));

    const settings = parse(note.slice(note.indexOf('\n'))) as object;
    const target = { base_url: 'simulator', models: [{ id: 'sim-reference', ...settings }] };
    await writeFile(join(cwd, 'more.yaml'), JSON.stringify({ targets: { demo: target } }));
    const more = await chatspec(
      ['run', '--config', 'more.yaml', '--suites', 'thinking', '--suites', 'reasoning-effort'],
      { cwd },
    );
    expect(more.code).toBe(0);
    const asked = JSON.parse((await chatspec(['list', '--config', 'more.yaml', '--json'], { cwd })).stdout) as {
      not_asked: unknown[];
      cells: { key: string }[];
    };
    expect(asked.not_asked).toEqual([]);
    expect(asked.cells.length).toBeGreaterThan(report.cells.length + 20);
  });
});

test('a model without thinking beside one with it has no such cells, and one note', async () => {
  const cwd = await lastingFolder();
  const settings = { thinking: { default: null, disabled: { thinking: { type: 'disabled' } } } };
  const models = ['sim-reference', { id: 'pro-sim-reference', settings }];
  await writeFile(join(cwd, 'chatspec.yaml'), JSON.stringify({ targets: { demo: { base_url: 'simulator', models } } }));
  const { code } = await chatspec(['run', '--suites', 'thinking'], { cwd });
  const report = await reportIn(cwd);
  expect(code).toBe(0);
  expect([...new Set(report.capabilities.map(({ model, capability }) => `${model} ${capability}`))]).toEqual([
    'demo/pro-sim-reference thinking.default',
    'demo/pro-sim-reference thinking.disabled',
  ]);
  expect(absentNotes(report)).toHaveLength(1);
  expect(absentNotes(report)[0]).toContain('Not asked of demo/sim-reference, ');
});
