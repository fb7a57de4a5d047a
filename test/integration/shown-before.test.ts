import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { Report } from '../../src/index.js';
import { chatspec, writeFiles } from '../support/cli.js';
import { tempFolder } from '../support/temp-folder.js';

/** Alarms for cells that drop together are deferred by one night: by a run, by resuming it, and by rejudging it. */

const suite = `suite: s
probes:
  strict:
    vary: { top_p: [0.7, 0.8, 0.9, 1] }
    trials: 3
    request:
      messages: [{ role: user, content: "Order C-3001 of Li Lei over 897.00 CNY went through. Use the field names ok, id, customer and amount, and no others." }]
      response_format:
        type: json_schema
        json_schema: { name: order, strict: true, schema: { type: object, properties: { a: { type: string } }, required: [a], additionalProperties: false } }
`;
const files = {
  's.yaml': suite,
  'baseline.yaml': 'format: chatspec-baseline/1\ncovers: ["*"]\nexpect: []\n',
  'chatspec.yaml': `targets:
  demo: { base_url: simulator, models: [sim-reference, sim-wobbly] }
suites: [s.yaml]
baseline: baseline.yaml
`,
};

let folder: string;
beforeEach(async () => {
  folder = await tempFolder();
  await writeFiles(folder, files);
  await run('run --out before --models sim-reference');
});

const run = (line: string) => chatspec(line.split(' '), { cwd: folder });
const sinceAccepted = async (name: string) =>
  (JSON.parse(await readFile(join(folder, name, 'report.json'), 'utf8')) as Report).cells.map(
    ({ since_accepted: since }) => since?.total,
  );
const standings = async (name: string) =>
  (JSON.parse(await readFile(join(folder, name, 'report.json'), 'utf8')) as Report).cells.map((cell) =>
    [cell.standing, cell.unsettled, cell.runs_in_a_row].join(' '),
  );

test('rejudging defers what the run deferred, and raises the alarm that the next night raised', async () => {
  expect((await run('run --out one --models sim-wobbly')).code).toBe(0);
  expect((await run('rejudge one')).code).toBe(0);
  expect(await standings('one-rejudged')).toEqual(await standings('one'));
  expect(await standings('one')).toContain('regression true ');

  expect((await run('run --out two --models sim-wobbly')).code).toBe(1);
  expect((await run('rejudge two')).code).toBe(1);
  expect(await standings('two-rejudged')).toEqual(await standings('two'));
  expect(await standings('two')).toContain('regression false 2');
});

test('a resumed run still knows the run before it', async () => {
  await run('run --out one --models sim-wobbly');
  expect((await run('run --out two --models sim-wobbly --budget-requests 6 --fail-on never')).code).toBe(3);
  expect((await run('run --resume --out two --budget-requests 1000')).code).toBe(1);
  expect(await standings('two')).toContain('regression false 2');

  await run('run --out fair --models sim-reference');
  expect((await run('run --out three --models sim-wobbly --budget-requests 6 --fail-on never')).code).toBe(3);
  expect((await run('run --resume --out three --budget-requests 1000')).code).toBe(0);
  expect(await standings('three')).toEqual(await standings('one'));
});

test('what runs count since a cell was accepted is the same live, resumed and rejudged', async () => {
  const covers = '[{ cells: "*", trials: 12 }]';
  await writeFiles(folder, { 'baseline.yaml': `format: chatspec-baseline/1\ncovers: ${covers}\nexpect: []\n` });
  await run('run --out one --models sim-reference');
  expect(await sinceAccepted('one')).toEqual([15, 15, 15, 15]);
  expect((await run('run --out two --models sim-reference --budget-requests 6 --fail-on never')).code).toBe(3);
  expect((await run('run --resume --out two --budget-requests 1000')).code).toBe(0);
  expect(await sinceAccepted('two')).toEqual([18, 18, 18, 18]);
  await run('rejudge two');
  expect(await sinceAccepted('two-rejudged')).toEqual([18, 18, 18, 18]);
  // A run that leaves the cells out passes on what is known of them.
  await run('run --out other --models sim-wobbly');
  await run('run --out three --models sim-reference');
  expect(await sinceAccepted('three')).toEqual([21, 21, 21, 21]);
});
