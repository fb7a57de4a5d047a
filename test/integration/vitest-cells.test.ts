import { mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../src/index.js';
import { codeBlocks, projectFolder } from '../support/documents.js';
import { writeFiles } from '../support/cli.js';
import { lastingFolder } from '../support/lasting-folder.js';
import { runNode } from '../support/run-node.js';

const config = `
targets:
  demo:
    base_url: simulator
    limits: { retries: 0 }
    models: [sim-reference, sim-rf-prose, sim-object-500, sim-rate-limited-always]
suites: [suites/own.yaml]
baseline: baseline.yaml
max_unmeasured: 0
`;
const request =
  "messages: [{ role: user, content: 'Order 3 keyboards for Li Lei, 897.00 CNY in total. Answer in JSON.' }]";
const order =
  '{ type: object, properties: { buyer: { type: string } }, required: [buyer], additionalProperties: false }';
const suite = `
suite: own
title: Own
probes:
  plain: { title: Plain, tags: [smoke], request: { messages: [{ role: user, content: Say hello. }] } }
  order:
    title: Order
    tags: [smoke]
    needs: [own/plain]
    request:
      ${request}
      response_format: { type: json_schema, json_schema: { name: order, strict: true, schema: ${order} } }
  tool:
    title: Tool
    tags: [smoke]
    request:
      ${request}
      tools: [{ type: function, function: { name: save, parameters: ${order} } }]
    vary:
      tool_choice: { required: required, object: { type: function, function: { name: save } } }
  other: { title: Other, request: { messages: [{ role: user, content: Say hello. }] } }
`;
const baseline = `
format: chatspec-baseline/1
covers: [{ cells: '*@demo/sim-object-500', trials: 12 }]
expect:
  - { key: 'own/tool[tool_choice=object]@demo/sim-object-500', verdict: fail, class: http_error, reason: server_error, status: 500, date: 2026-11-20, note: asked vendor }
`;

interface Told {
  readonly state: string;
  readonly message: string;
}
type Results = Readonly<Record<string, Told>>;

let folder: string;

interface Ended {
  readonly code: number | null;
  /** Of all files together. */
  readonly results: Results;
  /** By the name of the file. */
  readonly files: Readonly<Record<string, Results>>;
}

async function vitest(...args: readonly string[]): Promise<Ended> {
  const file = join(folder, 'results.json');
  const program = join(projectFolder, 'node_modules/vitest/vitest.mjs');
  const { code } = await runNode(
    [program, 'run', '--reporter=json', `--outputFile=${file}`, ...args],
    { CI: '1' },
    folder,
  );
  const { testResults } = JSON.parse(await readFile(file, 'utf8')) as {
    testResults: readonly { readonly name: string; readonly assertionResults: readonly Assertion[] }[];
  };
  const files = testResults.map(({ name, assertionResults }) => [basename(name), told(assertionResults)] as const);
  return {
    code,
    files: Object.fromEntries(files),
    results: Object.assign({}, ...files.map(([, one]) => one)) as Results,
  };
}

interface Assertion {
  readonly ancestorTitles: readonly string[];
  readonly title: string;
  readonly status: string;
  readonly failureMessages?: readonly string[];
  readonly meta?: { readonly chatspec?: { readonly verdict: string } };
}

function told(assertions: readonly Assertion[]): Results {
  return Object.fromEntries(
    assertions.map(({ ancestorTitles, title, status, failureMessages = [], meta }) => [
      [...ancestorTitles, title].join(' > '),
      { state: `${status} ${meta?.chatspec?.verdict ?? ''}`.trim(), message: failureMessages.join('\n') },
    ]),
  );
}

async function runs(): Promise<readonly string[]> {
  return (await readdir(join(folder, 'reports/runs'))).sort();
}

const states = (results: Results) =>
  Object.fromEntries(Object.entries(results).map(([name, { state }]) => [name, state]));

beforeAll(async () => {
  folder = await lastingFolder();
  const [example] = codeBlocks('docs/vitest.md').filter(({ language }) => language === 'ts');
  await writeFiles(folder, {
    ...{ 'package.json': '{ "type": "module" }', 'chatspec.yaml': config, 'baseline.yaml': baseline },
    ...{ 'suites/own.yaml': suite, 'models.test.ts': example?.text ?? '' },
  });
  await mkdir(join(folder, 'node_modules'));
  await symlink(projectFolder, join(folder, 'node_modules/chatspec'));
  await symlink(join(projectFolder, 'node_modules/vitest'), join(folder, 'node_modules/vitest'));
});

describe('the cells of a config as tests', () => {
  test('pass, fail with their evidence, and are skipped where they are known or could not be measured', async () => {
    const { code, results } = await vitest();
    expect(code).toBe(1);
    expect(states(results)).toMatchObject({
      'demo/sim-reference > own/plain': 'passed pass',
      'demo/sim-reference > own/order': 'passed pass',
      'demo/sim-rf-prose > own/order': 'failed fail',
      'demo/sim-object-500 > own/tool[tool_choice=required]': 'passed pass',
      'demo/sim-object-500 > own/tool[tool_choice=object]': 'skipped fail',
      'demo/sim-rate-limited-always > own/order': 'skipped inconclusive',
      'chatspec (run) > the run, its models and the wire': 'failed',
    });
    // `other` has no such tag.
    expect(Object.keys(results)).toHaveLength(4 * 4 + 1);
    const [run = ''] = await runs();
    const { message } = results['demo/sim-rf-prose > own/order'] ?? { message: '' };
    expect(message).toMatch(/^Conformance: fail, not_json: /);
    expect(message).toContain(`report: reports/runs/${run}/index.html`);
    expect(message).toContain(`evidence: chatspec evidence reports/runs/${run} own/order@demo/sim-rf-prose`);
    expect(message).not.toMatch(/^\s+at /m);
    expect(results['chatspec (run) > the run, its models and the wire']?.message).toContain(
      'of the plan was not measured',
    );
    const files = await readdir(join(folder, 'reports/runs', run));
    expect(files).toEqual(expect.arrayContaining(['index.html', 'report.json', 'journal.jsonl', 'failures.jsonl']));
  });

  test('are asked only where their tests run, with what they need', async () => {
    const before = await runs();
    const { code, results } = await vitest('-t', 'demo/sim-reference own/order');
    expect(code).toBe(0);
    expect(Object.values(states(results)).filter((state) => !state.startsWith('skipped'))).toEqual(['passed pass']);
    const [run = ''] = (await runs()).filter((name) => !before.includes(name));
    const report = JSON.parse(await readFile(join(folder, 'reports/runs', run, 'report.json'), 'utf8')) as Report;
    expect(report.cells.map(({ key }) => key)).toEqual([
      'own/plain@demo/sim-reference',
      'own/order@demo/sim-reference',
    ]);
  });
});

/** Nothing of these can be judged. `reason` stands in what the guard says. */
const silent = [
  {
    name: 'nothing listens at the address',
    target: 'base_url: http://127.0.0.1:1/v1, models: [one]',
    reason: 'ECONNREFUSED',
  },
  {
    name: 'the service does not know the only model',
    target: 'base_url: simulator, models: [sim-nobody]',
    reason: 'model_not_found',
  },
  { name: 'the account is empty', target: 'base_url: simulator, models: [sim-quota]', reason: 'quota' },
  {
    name: 'the config allows that nothing is measured',
    target: 'base_url: simulator, models: [sim-quota]',
    more: 'max_unmeasured: 1\n',
    reason: 'quota',
  },
] as const;
const guard = 'chatspec (run) > the run, its models and the wire';

const configOf = (target: string, more = '') =>
  `targets: { demo: { ${target}, limits: { retries: 0 } } }\nsuites: [suites/own.yaml]\n${more}`;

describe('a service of which nothing can be judged is never green', () => {
  let ended: Ended;
  beforeAll(async () => {
    for (const [index, { target, ...one }] of silent.entries()) {
      await writeFiles(folder, {
        [`silent-${index}.yaml`]: configOf(target, 'more' in one ? one.more : ''),
        [`silent-${index}.test.ts`]: `import { conformance } from 'chatspec/vitest';\nawait conformance({ config: 'silent-${index}.yaml' });\n`,
      });
    }
    // In any order: the test of the run may come before those of its cells.
    ended = await vitest('--sequence.shuffle.tests', 'silent');
  });

  test.each(silent.map((one, index) => ({ ...one, index })))('$name', ({ index, reason }) => {
    const { [guard]: told, ...cells } = ended.files[`silent-${index}.test.ts`] ?? {};
    expect(Object.values(states(cells)).every((state) => state.startsWith('skipped'))).toBe(true);
    expect({ code: ended.code, state: told?.state }).toEqual({ code: 1, state: 'failed' });
    expect(told?.message).toContain(reason);
  });

  test.each([
    ['where a filter leaves one cell and the test of the run', 'failed', 'own/plain|chatspec \\(run\\)'],
    ['where a filter leaves that test out', 'skipped', 'own/plain'],
  ])('%s', async (_, state, filter) => {
    const { code, results } = await vitest('silent-2', '-t', filter);
    expect({ code, state: results[guard]?.state }).toEqual({ code: 1, state });
  });
});

test('reads .env of the working folder and beside the config, as the command line does', async () => {
  const target = 'base_url: { env: CELLS_ADDRESS }, api_key_env: CELLS_KEY, models: { env: CELLS_MODELS }';
  await writeFiles(folder, {
    '.env': 'CELLS_ADDRESS=https://nobody.invalid/v1\nCELLS_MODELS=sim-reference\n',
    'inner/.env': 'CELLS_ADDRESS=simulator\nCELLS_KEY=sk-cells-0123456789\n',
    'inner/env.yaml': configOf(target).replace('suites/own', '../suites/own'),
    'env.test.ts': `import { conformance } from 'chatspec/vitest';\nawait conformance({ config: 'inner/env.yaml', only: ['own/plain'] });\n`,
  });
  const { code, results } = await vitest('env.test');
  expect(states(results)).toMatchObject({ 'demo/sim-reference > own/plain': 'passed pass' });
  expect(code).toBe(0);
});
