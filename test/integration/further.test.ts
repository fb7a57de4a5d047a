import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Report } from '../../src/index.js';
import { chatspec, writeFiles } from '../support/cli.js';
import { tempFolder } from '../support/temp-folder.js';

const tool =
  '{ type: function, function: { name: order, parameters: { type: object, properties: { item: { type: string } }, required: [item], additionalProperties: false } } }';
const suite = `suite: forms
probes:
  order:
    capability: forms
    request: { messages: [{ role: user, content: Order a lamp. }], max_tokens: 4000, tools: [${tool}] }
    vary:
      tool_choice: { auto: auto, object: { type: function, function: { name: order } } }
      thinking: { settings: thinking }
      stream: { 'off': ~, 'on': true }
    combine: each
    fill: 4
`;
const settings =
  '{ thinking: { default: ~, enabled: { thinking: { type: enabled } }, disabled: { thinking: { type: disabled } } } }';

async function project(model: string, suites = 'forms.yaml'): Promise<string> {
  const folder = await tempFolder();
  await writeFiles(folder, {
    'chatspec.yaml': `targets: { t: { base_url: simulator, settings: ${settings}, models: [${model}] } }\nsuites: ['${suites}']\nbaseline: baseline.yaml\n`,
    'forms.yaml': suite,
    'baseline.yaml': 'format: chatspec-baseline/1\ncovers: ["*@t/*"]\nexpect: []\n',
  });
  return folder;
}

async function runIn(cwd: string, out: string, ...options: readonly string[]): Promise<Report> {
  const { stderr, code } = await chatspec(['run', '--out', out, ...options], { cwd });
  expect({ code, stderr }).toMatchObject({ code: expect.any(Number) as number });
  return reportIn(join(cwd, out));
}

async function reportIn(folder: string): Promise<Report> {
  return JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')) as Report;
}

const keysOf = ({ cells }: Report): string[] => cells.map(({ key }) => /\[(.*)\]/.exec(key)?.[1] ?? key);
const planned = [
  'tool_choice=auto,thinking=default,stream=off',
  'tool_choice=object,thinking=default,stream=off',
  'tool_choice=auto,thinking=enabled,stream=off',
  'tool_choice=auto,thinking=disabled,stream=off',
  'tool_choice=auto,thinking=default,stream=on',
];

describe('points that clarify a condition', () => {
  const ofObject = [
    'tool_choice=object,thinking=default,stream=on',
    'tool_choice=object,thinking=enabled,stream=off',
    'tool_choice=object,thinking=enabled,stream=on',
    'tool_choice=object,thinking=disabled,stream=off',
  ];

  test.each([
    ['sim-forced-thinking-400', 'not with tool_choice=object and thinking: default, enabled together', ofObject],
    ['sim-object-500', 'only with tool_choice=auto', ofObject],
    ['sim-reference', null, []],
  ])('%s: %s', async (model, condition, further) => {
    const cwd = await project(model);
    const report = await runIn(cwd, 'run');
    const keys = keysOf(report);
    expect(keys.slice(0, planned.length)).toEqual(planned);
    expect(keys.slice(planned.length)).toEqual(further);
    expect(report.capabilities).toMatchObject([{ capability: 'forms', condition }]);
    expect(report.cells.filter(({ verdict }) => verdict === 'not_run')).toEqual([]);
  });

  test('are the same when the run is rejudged, and each can be asked by its key', async () => {
    const cwd = await project('sim-forced-thinking-400');
    const report = await runIn(cwd, 'run', '--trials', '1');
    await chatspec(['rejudge', 'run', '--out', 'again', '--trials', '1'], { cwd });
    const again = await reportIn(join(cwd, 'again'));
    expect({ cells: again.cells, capabilities: again.capabilities }).toEqual({
      cells: report.cells,
      capabilities: report.capabilities,
    });
    const further = report.cells[planned.length]?.key ?? '';
    const alone = await runIn(cwd, 'alone', '--only', further);
    expect(alone.cells.map(({ key }) => key)).toEqual([further]);
  });
});

describe('a composite document whose result changes', () => {
  const composite = ['--only', 'schema/composite'];

  test('is split into its keywords, in the channel that changed', async () => {
    const report = await runIn(await project('sim-enforce-some', 'builtin:core'), 'run', ...composite);
    const probesThat = (wanted: string): string[] =>
      report.cells
        .filter(({ verdict, point }) => verdict === wanted && point['channel'] === 'tools')
        .map(({ probe }) => probe);
    expect(probesThat('fail')).toEqual(['composite', 'minimum-integer', 'maximum-integer', 'min-length', 'max-length']);
    expect(probesThat('pass')).toEqual([
      'type-integer',
      'type-number',
      'required',
      'additional-properties-nested',
      'enum',
      'items',
    ]);
  });

  test('is not split while everything is enforced', async () => {
    const report = await runIn(await project('sim-reference', 'builtin:core'), 'run', ...composite);
    expect(report.cells.map(({ probe }) => probe)).toEqual(['composite', 'composite']);
  });
});
