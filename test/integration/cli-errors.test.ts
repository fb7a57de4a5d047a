import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { chatspec, writeFiles } from '../support/cli.js';
import { serveHttp } from '../support/loopback.js';
import { tempFolder } from '../support/temp-folder.js';

/** Errors consist of one line that names the cause, a next step, and the right exit code. */

const suite = `suite: shop
probes:
  hello: { request: { messages: [{ role: user, content: Say hello. }] } }
  again: { request: { messages: [{ role: user, content: Say hello again. }] } }
`;
const config = (models: string) =>
  `targets: { demo: { base_url: simulator, models: [${models}] } }\nsuites: [shop.yaml]\n`;

let folder: string;
beforeEach(async () => {
  folder = await tempFolder();
  await writeFiles(folder, { 'chatspec.yaml': config('sim-reference, sim-wobbly'), 'shop.yaml': suite });
});

const run = (line: string) => chatspec(line.split(' '), { cwd: folder });

describe('a path that cannot be written to', () => {
  beforeEach(async () => {
    await run('run --out r --only shop/hello@demo/sim-reference');
    await writeFiles(folder, { file: '' });
  });

  test.each([
    ['run --out file', 'file: there is a file where the run folder should be'],
    ['run --out file/below', 'below: a part of the path is a file'],
    ['rejudge r --out file', 'file: it is a file'],
    ['rejudge r --out file/below', 'below: part of the path is a file'],
    ['report r --format md --out file', 'file: it is a file'],
    ['report r --format html --out file/below', 'below: part of the path is a file'],
  ])('%s', async (line, message) => {
    const { code, stdout, stderr } = await run(line);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^chatspec: error: [^\n]+\n {2}→ [^\n]+\n$/);
    expect(stderr).toContain(folder);
    expect(stderr).toContain(message);
  });

  test('is reported before anything is sent', async () => {
    let asked = 0;
    const service = await serveHttp((_, response) => {
      asked += 1;
      response.end('{}');
    });
    await writeFiles(folder, {
      'chatspec.yaml': `targets: { real: { base_url: '${service.baseUrl}', api_key_env: KEY, models: [m] } }\nsuites: [shop.yaml]\n`,
    });
    expect((await chatspec(['run', '--out', 'file/below'], { cwd: folder, env: { KEY: 'sk-1234567' } })).code).toBe(2);
    await service.close();
    expect(asked).toBe(0);
  });

  test('is reported when a folder has the name of the file', async () => {
    await mkdir(join(folder, 'o', 'index.html'), { recursive: true });
    expect(await run('report r --format html --out o')).toMatchObject({ code: 2 });
    await writeFiles(folder, { 'chatspec.yaml': `${config('sim-reference')}baseline: file/b.yaml\n` });
    const { code, stderr } = await run('baseline accept r');
    expect(code).toBe(2);
    expect(stderr).toContain(`cannot write to ${join(folder, 'file/b.yaml')}: part of the path is a file`);
  });
});

describe('a key that is not set', () => {
  beforeEach(() =>
    writeFiles(folder, {
      'chatspec.yaml':
        'targets:\n  real:\n    base_url: https://service.example/v1\n    api_key_env: SHOP_KEY\n    models: [m]\nsuites: [shop.yaml]\n',
    }),
  );

  test.each(['validate', 'list', 'run --dry-run'])('is a warning for %s, which sends nothing', async (line) => {
    const { code, stdout, stderr } = await run(line);
    expect(code).toBe(0);
    expect(stdout).not.toBe('');
    expect(stderr).toMatch(/^chatspec\.yaml:4:18: warning: the environment variable SHOP_KEY is not set/);
    expect(stderr).toContain('> 4 |     api_key_env: SHOP_KEY');
    expect(stderr).toContain('export SHOP_KEY=...');
  });

  test('is an error for a run', async () => {
    const { code, stderr } = await run('run');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^chatspec\.yaml:4:18: error: the environment variable SHOP_KEY is not set/);
  });

  test('causes no message once it is set', async () => {
    expect((await chatspec(['validate'], { cwd: folder, env: { SHOP_KEY: 'sk-1234567' } })).stderr).toBe('');
  });
});

describe('evidence', () => {
  test('accepts a pattern that matches one cell, and lists the cells when it matches several', async () => {
    await run('run --out r --only shop/hello');
    expect((await run('evidence r shop/hello@*reference')).stdout).toContain('shop/hello@demo/sim-reference');
    const { code, stdout, stderr } = await run('evidence r shop/hello');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain("'shop/hello@demo/sim-reference'\n      'shop/hello@demo/sim-wobbly'\n");
  });
});

test('accepting a run with a model that is gone says what to do about it', async () => {
  await writeFiles(folder, { 'chatspec.yaml': config('sim-reference, sim-no-such-model') });
  const ran = await run('run --out r');
  expect(ran.stdout).toMatch(
    /sim-no-such-model is gone, which a baseline cannot accept: remove it\s+from\s+chatspec\.yaml/,
  );
  const { code, stderr } = await run('baseline accept r');
  expect(code).toBe(0);
  expect(stderr).toContain(
    'sim-no-such-model is gone, which a baseline cannot accept: remove it from chatspec.yaml, or',
  );
  expect(await readFile(join(folder, 'baseline.yaml'), 'utf8')).not.toContain('no-such-model');
});
