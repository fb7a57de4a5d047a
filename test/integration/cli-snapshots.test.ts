import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Report } from '../../src/index.js';
import { chatspec, transcript, writeFiles } from '../support/cli.js';
import { serveHttp } from '../support/loopback.js';
import { tempFolder } from '../support/temp-folder.js';

/**
 * Whole sessions: commands, output, exit codes. The sessions in __snapshots__/cli are meant to be read; accept an
 * intended change with `vitest run -u`.
 */

const shop = `suite: shop
title: A shop
probes:
  hello:
    title: A greeting
    capability: chat
    tags: [smoke]
    request: { messages: [{ role: user, content: Say hello. }] }
  order:
    title: An order
    capability: 'tool_choice.{{tool_choice}}'
    request:
      messages: [{ role: user, content: 'Order 3 mechanical keyboards for Li Lei, 897.00 CNY in total, dated 2026-05-01.' }]
      tools:
        - type: function
          function:
            name: create_order
            strict: true
            parameters: { type: object, properties: { buyer: { type: string } }, required: [buyer], additionalProperties: false }
    vary:
      tool_choice:
        required: required
        object: { type: function, function: { name: create_order } }
`;

const config = (models: string, more = ''): string =>
  `targets:\n  demo: { base_url: simulator, models: [${models}] }\nsuites: [shop.yaml]\n${more}`;

let folder: string;
beforeEach(async () => {
  folder = await tempFolder();
  await writeFiles(folder, { 'chatspec.yaml': config('sim-reference'), 'shop.yaml': shop });
});

/** Runs each command line in turn and compares the session with the file of that name. */
async function session(name: string, ...commands: readonly string[]): Promise<readonly (number | null)[]> {
  const codes: (number | null)[] = [];
  let text = '';
  for (const command of commands) {
    const result = await chatspec(command.split(' '), { cwd: folder });
    codes.push(result.code);
    text += transcript(command, result, folder);
  }
  await expect(text).toMatchFileSnapshot(`__snapshots__/cli/${name}.txt`);
  return codes;
}

const faulty = 'sim-reference, sim-object-500';
const withBaseline = 'baseline: baseline.yaml\n';

describe('usage', () => {
  test('prints help', async () => expect(await session('help', '--help', 'run --help')).toEqual([0, 0]));

  test('suggests the word that was probably meant', async () =>
    expect(await session('usage', 'rnu', 'run --modles x', 'run --profile smok', 'report', 'run now')).toEqual([
      2, 2, 2, 2, 2,
    ]));
});

describe('before anything is sent', () => {
  test('validates, lists and plans', async () => {
    expect(await session('validate', 'validate', 'validate --json')).toEqual([0, 0]);
    expect(await session('list', 'list', 'run --dry-run', 'list --json')).toEqual([0, 0, 0]);
  });

  test('shows every problem with its place', async () => {
    await writeFiles(folder, { 'shop.yaml': shop.replace('capability: chat', 'capabilty: chat') });
    expect(await session('validate-errors', 'validate', 'run')).toEqual([2, 2]);
  });
});

describe('a run', () => {
  test('passes on the reference profile', async () => {
    expect(await session('run-reference', 'run --out r', 'report r', 'rejudge r')).toEqual([0, 0, 0]);
    await expect(folderReport('r')).resolves.toMatchObject({ run: { complete: true } });
  });

  test('fails on a faulty model until its results are accepted, and again when a cell gets worse', async () => {
    await writeFiles(folder, { 'chatspec.yaml': config(faulty, withBaseline) });
    const first = await session(
      'accept',
      'run --out first',
      'baseline accept first',
      'run --out second',
      'diff first second',
    );
    expect(first).toEqual([1, 0, 0, 0]);
    expect(await readFile(join(folder, 'baseline.yaml'), 'utf8')).toContain(
      '"shop/order[tool_choice=object]@demo/sim-object-500", verdict: fail, class: http_error',
    );

    await writeFile(join(folder, 'baseline.yaml'), 'format: chatspec-baseline/1\ncovers: ["*@demo/*"]\nexpect: []\n');
    expect(await session('regression', 'run --out third')).toEqual([1]);
    const deviating = (await folderReport('third')).cells.filter(({ standing }) => standing !== 'as_expected');
    expect(deviating.map(({ key, standing }) => [key, standing])).toEqual([
      ['shop/order[tool_choice=object]@demo/sim-object-500', 'regression'],
    ]);
  });

  test('notices an improvement', async () => {
    const entry =
      '{ key: "shop/hello@demo/sim-reference", verdict: fail, class: http_error, reason: server_error, status: 500, date: 2026-01-31, note: "asked the vendor" }';
    await writeFiles(folder, {
      'chatspec.yaml': config('sim-reference', withBaseline),
      'baseline.yaml': `format: chatspec-baseline/1\ncovers: ["*@demo/*"]\nexpect:\n  - ${entry}\n`,
    });
    expect(await session('improvement', 'run --out r', 'baseline accept r', 'run --out again')).toEqual([1, 0, 0]);
  });

  test('keeps to its budget, and says what it did not run', async () => {
    await writeFiles(folder, {
      'chatspec.yaml': config('sim-reference').replace('models:', 'limits: { concurrency: 1 }, models:'),
    });
    expect(await session('budget', 'run --budget-requests 2 --out r')).toEqual([3]);
    expect((await folderReport('r')).run.requests).toBe(2);
  });

  test('refuses a folder that contains a run, and resumes the run when asked to', async () => {
    expect(
      await session('folders', 'run --out r', 'run --out r', 'run --out r --resume', 'run --out r --resume --seed 2'),
    ).toEqual([0, 2, 0, 2]);
    expect(await session('no-folder', 'run --resume --out none', 'report none', 'rejudge none', 'diff none r')).toEqual(
      [2, 2, 2, 2],
    );
  });

  test('exits with 3 when the service cannot be reached', async () => {
    const gone = await serveHttp(() => {});
    await gone.close();
    const limits = 'limits: { retries: 0, timeout_s: 5 }';
    await writeFiles(folder, {
      'chatspec.yaml': `targets: { gone: { base_url: '${gone.baseUrl}', ${limits}, models: [m] } }\nsuites: [shop.yaml]\n`,
    });
    expect(await session('unreachable', 'run --out r', 'doctor')).toEqual([3, 3]);
  });
});

describe('keys', () => {
  const keyed = (url: string) =>
    `targets: { real: { base_url: '${url}', api_key_env: SHOP_KEY, models: [sim-reference] } }\nsuites: [shop.yaml]\n`;

  test('must be set before anything is sent', async () => {
    let asked = 0;
    const service = await serveHttp((_, response) => {
      asked += 1;
      response.end('{}');
    });
    await writeFiles(folder, { 'chatspec.yaml': keyed(service.baseUrl) });
    expect(await session('missing-key', 'run --out r', 'doctor')).toEqual([2, 2]);
    expect(asked).toBe(0);
    await service.close();
  });
});

describe('afterwards', () => {
  test('compares runs, writes evidence and checks the setup', async () => {
    await writeFiles(folder, { 'chatspec.yaml': config(faulty) });
    const codes = await session(
      'afterwards',
      'run --out r --fail-on never --trials 2 --concurrency 1',
      'diff r --models sim-reference sim-object-500',
      'diff r --models sim-reference sim-object-500 --markdown',
      'evidence r shop/helo@demo/sim-reference',
      'doctor --model sim-object-500',
    );
    expect(codes).toEqual([0, 1, 1, 2, 0]);
  });
});

async function folderReport(name: string): Promise<Report> {
  return JSON.parse(await readFile(join(folder, name, 'report.json'), 'utf8')) as Report;
}
