import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { chooseForm, loadCapabilities, type CapabilityMap } from '../../src/capabilities/index.js';
import { shippedSchema } from '../../src/files/shipped-schema.js';
import { digest } from '../../src/json/digest.js';
import type { Report } from '../../src/index.js';
import { startSimulator } from '../../src/simulator/index.js';
import { chatspec, writeFiles } from '../support/cli.js';
import { lastingFolder } from '../support/lasting-folder.js';
import { runNode } from '../support/run-node.js';

/** The verified map of a run, from its file to the application that uses it. */

const models = ['sim-reference', 'sim-object-500', 'sim-rf-empty', 'sim-budget', 'sim-schema-only', 'sim-departed'];

let folder: string;
let report: Report;
let map: CapabilityMap;
beforeAll(async () => {
  folder = await lastingFolder();
  const config = `targets:\n  demo: { base_url: simulator, models: [${models.join(', ')}] }\n`;
  await writeFiles(folder, { 'chatspec.yaml': config });
  await chatspec(['run', '--tags', 'nightly', '--out', 'run'], { cwd: folder });
  report = JSON.parse(await readFile(join(folder, 'run', 'report.json'), 'utf8')) as Report;
  map = await loadCapabilities(join(folder, 'run'));
});

test('capabilities.json fits its schema and holds every capability of report.json', async () => {
  const valid = await shippedSchema('capabilities');
  expect(valid(map), JSON.stringify(valid.errors?.slice(0, 3))).toBe(true);
  const named = ({ model, capability }: { model: string; capability: string }) => `${capability}@${model}`;
  expect(map.capabilities.map(named)).toEqual(report.capabilities.map(named));
  expect(map.capabilities.length).toBeGreaterThan(models.length * 10);
  for (const { date, expires } of [...map.capabilities, ...map.needs]) {
    expect(date).toBe(report.run.finished_at);
    expect(Date.parse(expires)).toBeGreaterThan(Date.parse(date));
  }
});

test('every digest can be made again from report.json', () => {
  const cells = new Map(report.cells.map((cell) => [cell.key, cell]));
  for (const [index, { evidence }] of map.capabilities.entries()) {
    const behind = report.capabilities[index]!.cells.map((key) => cells.get(key)!);
    const said = behind.map(({ key, verdict, trials, exchanges }) => [
      ...[key, verdict, trials.passed, trials.total, exchanges],
    ]);
    expect(evidence).toBe(`sha256:${digest(said)}`);
  }
});

test('the form chosen for a need is the one that the report recommends', () => {
  for (const { model, need, form, settings, request = {}, caveats } of report.recommendations) {
    const chosen = chooseForm(map, { model, need });
    expect(chosen).toEqual(form === null ? null : { form, settings, request, caveats });
  }
  expect(chooseForm(map, { model: 'sim-budget', need: 'structured' })).toMatchObject({
    ...{ form: 'json_schema', request: { max_tokens: 2048 } },
  });
  expect(chooseForm(map, { model: 'sim-schema-only', need: 'tool_call' })).toBeNull();
  expect(chooseForm(map, { model: 'sim-departed', need: 'plain_text' })).toBeNull();
});

test('capabilities export prints the same map, for other days, and as flags of other catalogues', async () => {
  const printed = async (...more: string[]) => {
    const { code, stdout } = await chatspec(['capabilities', 'export', 'run', ...more], { cwd: folder });
    expect(code).toBe(0);
    return JSON.parse(stdout) as never;
  };
  expect(await printed()).toEqual(map);
  const { needs } = (await printed('--days', '1')) as CapabilityMap;
  expect(Date.parse(needs[0]!.expires) - Date.parse(needs[0]!.date)).toBe(86_400_000);
  expect(await printed('--format', 'litellm')).toMatchObject({
    'sim-reference': {
      supports_function_calling: true,
      supports_response_schema: true,
      supports_native_streaming: true,
    },
    'sim-schema-only': { supports_function_calling: false, supports_response_schema: true },
    'sim-rf-empty': { supports_tool_choice: true, supports_response_schema: false },
  });
  expect(await printed('--format', 'models.dev')).toMatchObject({
    'sim-schema-only': { tool_call: false, structured_output: true },
  });
});

test.each([
  [['import', 'run'], 'did you mean "export"?'],
  [['export', 'run', '--format', 'yaml'], '--format must be one of map, litellm, models.dev'],
  [['export', 'run', '--days', '0'], '--days must be a whole number'],
  [['export', 'nowhere'], 'this is not a run folder'],
])('capabilities %j is refused', async (args, message) => {
  const { code, stdout, stderr } = await chatspec(['capabilities', ...args], { cwd: folder });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
});

test('an application routes an extraction over models, by the map', async () => {
  const service = await startSimulator({ seed: 1 });
  onTestFinished(() => service.close());
  const example = join(process.cwd(), 'examples', 'route-invoice.mjs');
  const route = (...names: string[]) => runNode([example, service.baseUrl, join(folder, 'run'), ...names], {});
  const { code, stdout, stderr } = await route('sim-departed', 'sim-rf-empty');
  expect([code, stderr]).toEqual([0, 'sim-departed: no form that gives fixed fields can be relied on\n']);
  expect(JSON.parse(stdout)).toMatchObject({ model: 'sim-rf-empty', invoice: { total: 897 } });
  expect(JSON.parse((await route('sim-budget', 'sim-reference')).stdout)).toMatchObject({ model: 'sim-budget' });
  expect((await route('sim-departed')).code).toBe(1);
});

test('the reader has no dependency and is smaller than 6 kB', async () => {
  const bundle = await rolldown({ input: 'src/capabilities/index.ts', platform: 'browser', logLevel: 'silent' });
  const { output } = await bundle.generate({ minify: true });
  expect(output.map(({ fileName }) => fileName)).toHaveLength(1);
  const code = output[0].code;
  expect(code).not.toMatch(/\bimport\b|\brequire\(/);
  expect(Buffer.byteLength(code)).toBeLessThan(6000);
});

/** What catalogues say of models of the run, in the forms of LiteLLM, models.dev and OpenRouter. */
const catalogues: readonly (readonly [string, object, readonly string[], number])[] = [
  ['right', { 'sim-reference': { supports_response_schema: true, supports_function_calling: true } }, [], 0],
  ['a wrong promise', { 'acme/sim-rf-empty': { supports_response_schema: true } }, ['supports_response_schema'], 1],
  ['too modest', { 'sim-reference': { supports_response_schema: false } }, ['supports_response_schema'], 0],
  ['by provider', { acme: { models: { 'sim-schema-only': { tool_call: true } } } }, ['tool_call'], 1],
  [
    'a list of parameters',
    { data: [{ id: 'acme/sim-schema-only', supported_parameters: ['structured_outputs', 'response_format'] }] },
    ['response_format'],
    1,
  ],
  [
    'the models of a LiteLLM proxy, by the names of its config',
    {
      data: [
        {
          model_name: 'sim-schema-only',
          litellm_params: { model: 'openai/other' },
          model_info: { id: 'd1', supports_function_calling: true, supports_response_schema: null, mode: 'chat' },
        },
        { model_name: 'somebody-else', litellm_params: {}, model_info: { supports_response_schema: true } },
      ],
    },
    ['supports_function_calling'],
    1,
  ],
  [
    'several deployments of one model, of which one declares it',
    {
      data: [true, false].map((declared) => ({
        model_name: 'sim-rf-empty',
        model_info: { supports_response_schema: declared },
      })),
    },
    ['supports_response_schema'],
    1,
  ],
  [
    'the groups of a LiteLLM proxy',
    {
      data: [
        {
          model_group: 'sim-schema-only',
          providers: ['openai'],
          supports_function_calling: false,
          supported_openai_params: ['tools', 'response_format'],
        },
        {
          model_group: 'sim-reference',
          supports_function_calling: false,
          supported_openai_params: ['tools', 'tool_choice'],
        },
      ],
    },
    ['supports_function_calling'],
    1,
  ],
];

test.each([
  ['in 30 days', 30, 1],
  ['in 31 days', 31, 0],
  ['today', 0, 1],
  ['a week ago', -7, 1],
])('a model that is announced to be gone %s is told, whoever says so', async (_, days, told) => {
  const date = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const catalogues = [
    { data: [{ id: 'acme/sim-reference', supported_parameters: ['tools'], deprecation_date: date }] },
    { data: [{ id: 'acme/sim-reference', expiration_date: `${date}T00:00:00Z` }] },
    { 'sim-reference': { litellm_provider: 'acme', mode: 'chat', deprecation_date: date } },
    { data: [{ model_name: 'sim-reference', model_info: { deprecation_date: date } }] },
    { 'sim-reference': { supports_function_calling: true, deprecation_date: 'when the model is deprecated' } },
  ];
  const found = await Promise.all(
    catalogues.map(async (catalogue, index) => {
      await writeFiles(folder, { [`ends-${index}.json`]: JSON.stringify(catalogue) });
      return chatspec(['capabilities', 'compare', 'run', `ends-${index}.json`, '--json'], { cwd: folder });
    }),
  );
  const ends = found.map(({ stdout }) => (JSON.parse(stdout) as { ending: readonly object[] }).ending);
  const end = { model: 'demo/sim-reference', date, days };
  expect(ends).toEqual([...Array.from({ length: 4 }, () => (told === 1 ? [end] : [])), []]);
  expect(found.filter(({ stderr }) => stderr.includes(date))).toHaveLength(told * 4);
  // What is announced is a warning.
  expect(found.slice(1).map(({ code }) => code)).toEqual([0, 0, 0, 0]);
});

test.each(catalogues)('capabilities compare: %s', async (_name, catalogue, flags, code) => {
  await writeFiles(folder, { 'catalogue.json': JSON.stringify(catalogue) });
  const ran = await chatspec(['capabilities', 'compare', 'run', 'catalogue.json', '--json'], { cwd: folder });
  expect(ran.code).toBe(code);
  const { wrong } = JSON.parse(ran.stdout) as { wrong: readonly { flag: string; measured: readonly object[] }[] };
  expect(wrong.map(({ flag }) => flag)).toEqual(flags);
  for (const { measured } of wrong) expect(measured).not.toEqual([]);
});

test('capabilities compare refuses a catalogue without a model of the run', async () => {
  await writeFiles(folder, { 'catalogue.json': '{"somebody-else": {"supports_response_schema": true}}' });
  const ran = await chatspec(['capabilities', 'compare', 'run', 'catalogue.json'], { cwd: folder });
  expect(ran.code).toBe(2);
});
