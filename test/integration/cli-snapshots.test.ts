import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Report } from '../../src/index.js';
import { builtChatspec, chatspec, startChatspec, transcript, writeFiles } from '../support/cli.js';
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

  test('says so when a filter matches nothing', async () =>
    expect(
      await session(
        'no-match',
        'run --only shop/helo',
        'list --suites shops',
        'run --models gpt-*',
        'list --tags smoke,nightli',
        'list --only shop/hello,shop/order[tool_choice=required,size=2]',
        'list --skip shop/hello@demo/sim-*,shop/order@demo/sim-refrence',
        'list --tags=',
      ),
    ).toEqual([2, 2, 2, 2, 2, 2, 2]));

  test('takes lists with commas, and options given several times', async () => {
    await writeFiles(folder, { 'chatspec.yaml': config(faulty) });
    expect(
      await session(
        'lists',
        'list --models reference,sim-object-500 --models sim-* --only shop/hello,shop/order[tool_choice=object]@demo/sim-reference',
        'list --models sim-reference,sim-object-500 --suites shop,shop --tags smoke --tags smoke,smoke',
        'list --skip shop/hello,shop/order[tool_choice=required] --skip *@demo/sim-reference',
      ),
    ).toEqual([2, 0, 0]);
  });
});

describe('before anything is sent', () => {
  test('validates, lists and plans', async () => {
    expect(await session('validate', 'validate', 'validate --json')).toEqual([0, 0]);
    expect(await session('list', 'list', 'run --dry-run', 'list --json')).toEqual([0, 0, 0]);
  });

  test('warns of schemas outside the advised subset, and does not fail', async () => {
    const loose = shop.replace('additionalProperties: false', 'patternProperties: { a: { type: string } }');
    await writeFiles(folder, { 'shop.yaml': loose });
    expect(await session('validate-warnings', 'validate')).toEqual([0]);
  });

  test('shows every problem with its place', async () => {
    await writeFiles(folder, { 'shop.yaml': shop.replace('capability: chat', 'capabilty: chat') });
    expect(await session('validate-errors', 'validate', 'run')).toEqual([2, 2]);
  });

  test('corrects the address of an endpoint', async () => {
    const wrong = config('m').replace('simulator', 'https://service.example/api/chat/completions');
    await writeFiles(folder, { 'chatspec.yaml': wrong });
    expect(await session('base-url', 'run')).toEqual([2]);
  });
});

describe('a run', () => {
  test('passes on the reference profile', async () => {
    expect(await session('run-reference', 'run --out r', 'report r', 'rejudge r')).toEqual([0, 0, 0]);
    await expect(folderReport('r')).resolves.toMatchObject({ run: { complete: true } });
  });

  test('passes the built-in smoke probes on the reference profile', async () => {
    await writeFiles(folder, {
      'chatspec.yaml': 'targets: { demo: { base_url: simulator, models: [sim-reference] } }\n',
    });
    const { code } = await chatspec(['run', '--tags', 'smoke', '--out', 'r'], { cwd: folder });
    const { cells } = await folderReport('r');
    expect(cells.length).toBeGreaterThan(5);
    expect(cells.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
    expect(code).toBe(0);
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

  test('fails on what --fail-on says', async () => {
    await writeFiles(folder, { 'chatspec.yaml': config(faulty) });
    const codes: Record<string, number | null> = {};
    for (const what of ['deviation', 'regression', 'fail', 'never']) {
      codes[what] = (await chatspec(['run', '--fail-on', what, '--out', what], { cwd: folder })).code;
    }
    expect(codes).toEqual({ deviation: 1, regression: 0, fail: 1, never: 0 });
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

  test('that do not begin with sk- cause a warning', async () => {
    const service = await serveHttp((_, response) => {
      response.end(JSON.stringify({ choices: [{ message: { content: 'hi' }, finish_reason: 'stop' }] }));
    });
    await writeFiles(folder, { 'chatspec.yaml': keyed(service.baseUrl) });
    const unusual = await chatspec(['doctor'], { cwd: folder, env: { SHOP_KEY: 'kx-0123456789' } });
    expect(unusual.stderr).toContain('warning: the key in SHOP_KEY does not begin with sk-');
    expect(unusual.code).toBe(0);
    const usual = await chatspec(['doctor'], { cwd: folder, env: { SHOP_KEY: 'sk-0123456789' } });
    expect(usual).toMatchObject({ code: 0, stderr: '' });
    await service.close();
  });
});

describe('afterwards', () => {
  test('compares runs, writes evidence and checks the setup', async () => {
    await writeFiles(folder, { 'chatspec.yaml': config(faulty) });
    const cell = 'shop/order[tool_choice=object]@demo/sim-object-500';
    const codes = await session(
      'afterwards',
      'run --out r --fail-on never --trials 2 --concurrency 1',
      'diff r --models sim-reference sim-object-500',
      'diff r --models sim-object-500 sim-reference',
      'diff r --models sim-reference sim-object-500 --markdown',
      `evidence r ${cell}`,
      'evidence r shop/helo@demo/sim-reference',
      'doctor --model sim-object-500',
    );
    expect(codes).toEqual([0, 1, 0, 1, 0, 2, 0]);
  });

  test('rejudges to the same report', async () => {
    await writeFiles(folder, { 'chatspec.yaml': config(faulty) });
    await chatspec(['run', '--out', 'r'], { cwd: folder });
    expect((await chatspec(['rejudge', 'r'], { cwd: folder })).code).toBe(1);
    expect(await folderReport('r-rejudged')).toEqual(await folderReport('r'));
  });

  test('renders the same files again', async () => {
    await writeFiles(folder, { 'chatspec.yaml': config(faulty) });
    await chatspec(['run', '--out', 'r'], { cwd: folder });
    const result = await chatspec(['report', 'r', '--format', 'html,md,junit,json'], { cwd: folder });
    expect(result).toMatchObject({ code: 0, stdout: '' });
    await chatspec(['report', 'r', '--format', 'html,md,junit,json', '--out', '.'], { cwd: folder });
    for (const name of ['report.json', 'report.md', 'junit.xml']) {
      expect(await readFile(join(folder, name), 'utf8'), name).toBe(await readFile(join(folder, 'r', name), 'utf8'));
    }
  });

  test('prints JSON that conforms to the schema of the report', async () => {
    await writeFiles(folder, { 'chatspec.yaml': config(faulty) });
    const conforms = await reportValidator();
    for (const args of ['run --out r', 'report r', 'rejudge r']) {
      const { stdout } = await chatspec([...args.split(' '), '--json'], { cwd: folder });
      conforms(JSON.parse(stdout));
    }
    for (const args of [
      'validate',
      'list',
      'run --dry-run',
      'doctor',
      'diff r r',
      'evidence r shop/hello@demo/sim-reference',
    ]) {
      const { stdout } = await chatspec([...args.split(' '), '--json'], { cwd: folder });
      expect(JSON.parse(stdout), args).toBeTypeOf('object');
    }
  });
});

describe('the built program', () => {
  test('runs and exits with the right code', async () => {
    await writeFiles(folder, { 'chatspec.yaml': config(faulty) });
    const { code, stdout, stderr } = await builtChatspec(['run', '--out', 'r', '--format', 'junit'], { cwd: folder });
    expect(stdout).toContain('chatspec baseline');
    expect(stderr).not.toContain('bug');
    expect(code).toBe(1);
    expect((await builtChatspec(['rnu'], { cwd: folder })).code).toBe(2);
  });

  test('reads .env, and gives precedence to the environment', async () => {
    const keys: unknown[] = [];
    const service = await serveHttp((request, response) => {
      keys.push(request.headers.authorization);
      response.end('{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}]}');
    });
    await writeFiles(folder, {
      'chatspec.yaml': `targets: { real: { base_url: '${service.baseUrl}', api_key_env: SHOP_KEY, models: [m] } }\n`,
      '.env': 'SHOP_KEY=sk-from-file\n',
    });
    await builtChatspec(['doctor'], { cwd: folder });
    await builtChatspec(['doctor'], { cwd: folder, env: { SHOP_KEY: 'sk-from-shell' } });
    expect(keys).toEqual(['Bearer sk-from-file', 'Bearer sk-from-shell']);
    await service.close();
  });

  test('simulates until it is stopped', async () => {
    const simulate = startChatspec(['simulate', '--port', '0'], { cwd: folder });
    await expect.poll(() => simulate.output().stdout).toMatch(/\n$/);
    const line = JSON.parse(simulate.output().stdout) as { base_url: string; models: string[] };
    expect(line.base_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    expect(line.models).toContain('sim-reference');
    const answer = await fetch(`${line.base_url}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'sim-reference', messages: [{ role: 'user', content: 'hello' }] }),
    });
    expect(answer.status).toBe(200);
    const port = new URL(line.base_url).port;
    const taken = await builtChatspec(['simulate', '--port', port], { cwd: folder });
    expect(taken).toMatchObject({ code: 2, stdout: '' });
    expect(taken.stderr).toContain(`port ${port} is already in use`);
    simulate.kill('SIGTERM');
    expect(await simulate.done).toMatchObject({ code: 0, signal: null, stderr: '' });
  });
});

async function folderReport(name: string): Promise<Report> {
  return JSON.parse(await readFile(join(folder, name, 'report.json'), 'utf8')) as Report;
}

async function reportValidator(): Promise<(value: unknown) => void> {
  const schema = JSON.parse(await readFile('schemas/report.schema.json', 'utf8')) as object;
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats.default(ajv);
  const validate = ajv.compile(schema);
  return (value) => {
    validate(value);
    expect(validate.errors ?? []).toEqual([]);
  };
}
