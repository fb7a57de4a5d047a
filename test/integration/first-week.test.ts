import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Report } from '../../src/index.js';
import { chatspec, writeFiles } from '../support/cli.js';
import { tempFolder } from '../support/temp-folder.js';

/** A team's first week: one standard run is accepted, and then nothing changes, until a model goes dead. */

const suite = `suite: s
probes:
  strict:
    vary: { top_p: [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98, 1] }
    request:
      messages: [{ role: user, content: "Order C-3001 of Li Lei over 897.00 CNY went through. Use the field names ok, id, customer and amount, and no others." }]
      response_format:
        type: json_schema
        json_schema: { name: order, strict: true, schema: { type: object, properties: { a: { type: string } }, required: [a], additionalProperties: false } }
`;
const config = (wobbly: string) => `targets:
  demo: { base_url: simulator, models: [sim-reference, { id: sim-wobbly${wobbly} }] }
suites: [s.yaml]
baseline: baseline.yaml
`;

test('is green while nothing changes, and red the night a model goes dead', async () => {
  const folder = await tempFolder();
  const run = (line: string) => chatspec(line.split(' '), { cwd: folder });
  const report = async (name: string) =>
    JSON.parse(await readFile(join(folder, name, 'report.json'), 'utf8')) as Report;
  await writeFiles(folder, { 's.yaml': suite, 'chatspec.yaml': config('') });

  await run('run --out first --seed 1');
  expect((await run('baseline accept first')).code).toBe(0);
  expect(await readFile(join(folder, 'baseline.yaml'), 'utf8')).toContain(
    '{ cells: s/strict@demo/sim-reference, trials: 1 }',
  );

  const nights = [2, 3, 4, 5, 6, 7];
  const codes: unknown[] = [];
  for (const seed of nights) codes.push((await run(`run --out night-${seed} --seed ${seed}`)).code);
  expect(codes).toEqual(nights.map(() => 0));

  // The model fails about every third time, so nights without any doubt would not test much.
  const doubted = await Promise.all(
    nights.map(async (seed) => (await report(`night-${seed}`)).cells.filter(({ doubt }) => doubt !== null).length),
  );
  expect(Math.max(...doubted)).toBeGreaterThan(0);

  expect((await run('rejudge night-5')).code).toBe(0);
  expect((await report('night-5-rejudged')).cells).toEqual((await report('night-5')).cells);

  await writeFiles(folder, { 'chatspec.yaml': config(', request: { max_tokens: 1 }') });
  expect((await run('run --out dead --seed 8')).code).toBe(1);
  const dead = (await report('dead')).cells.filter(({ model }) => model === 'demo/sim-wobbly');
  const expectedToPass = dead.filter(({ expected }) => expected?.verdict === 'pass');
  expect(expectedToPass.length).toBeGreaterThan(2);
  expect(expectedToPass.map(({ standing, unsettled: open }) => `${standing ?? ''} ${String(open)}`)).toEqual(
    expectedToPass.map(() => 'regression false'),
  );
});

test('a model that was never asked before is new, and shows no regression', async () => {
  const folder = await tempFolder();
  const run = (line: string) => chatspec(line.split(' '), { cwd: folder });
  const withModels = (models: string) => config('').replace('[sim-reference, { id: sim-wobbly }]', models);
  await writeFiles(folder, { 's.yaml': suite, 'chatspec.yaml': withModels('[sim-reference]') });
  await run('run --out first');
  await run('baseline accept first');
  await writeFiles(folder, { 'chatspec.yaml': withModels('[sim-reference, { id: sim-wobbly }]') });
  await run('run --out second');
  const { models, cells } = JSON.parse(await readFile(join(folder, 'second', 'report.json'), 'utf8')) as Report;
  expect(models.map(({ id, standing }) => `${id} ${standing}`)).toEqual([
    'demo/sim-reference known',
    'demo/sim-wobbly new',
  ]);
  expect([...new Set(cells.map(({ model, standing }) => `${model} ${standing ?? ''}`))]).toEqual([
    'demo/sim-reference as_expected',
    'demo/sim-wobbly new',
  ]);
});
