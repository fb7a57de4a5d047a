import { existsSync } from 'node:fs';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
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

afterEach(() => void vi.unstubAllEnvs());

const run = (line: string) => chatspec(line.split(' '), { cwd: folder });

test.each(['nowhere', 'shop.yaml'])('--history %s is told before anything is sent', async (history) => {
  const { code, stderr } = await run(`run --history ${history} --out h`);
  expect(code).toBe(2);
  expect(stderr).toContain(`cannot read --history ${history}`);
  expect(existsSync(join(folder, 'h'))).toBe(false);
});

/** Every way to say where files go. */
const writing = [
  'run --out',
  'run --dry-run --out',
  'merge r --out',
  'rejudge r --out',
  'report r --out',
  'report r --format md --out',
  'report r --site',
  'check --schema schema.json --prompt hello --out',
];

describe('a path that cannot be written to', () => {
  beforeEach(async () => {
    await run('run --out r --only shop/hello@demo/sim-reference');
    await writeFiles(folder, { file: '' });
  });

  test.each([
    ['file', 'file: it is a file'],
    ['file/below', 'below: part of the path is a file'],
    ['file/below/it', 'it: part of the path is a file'],
    ['home', 'home: it is the home folder'],
    ['home/../home/', 'home: it is the home folder'],
  ])('%s, whatever the verb', async (path, message) => {
    vi.stubEnv('HOME', join(folder, 'home'));
    await mkdir(join(folder, 'home'));
    for (const line of writing) {
      const { code, stdout, stderr } = await run(`${line} ${path}`);
      expect({ code, stdout }, line).toEqual({ code: 2, stdout: '' });
      expect(stderr, line).toMatch(/^chatspec: error: [^\n]+\n {2}→ [^\n]+\n$/);
      expect(stderr, line).toContain(folder);
      expect(stderr, line).toContain(message);
    }
    expect(await readdir(join(folder, 'home'))).toEqual([]);
  });

  test('is told by every verb that plans a run, where `out` of the config names it', async () => {
    await writeFiles(folder, {
      'wrong.yaml': 'targets: { demo: { base_url: simulator, models: [m] } }\nsuites: [shop.yaml]\nout: file\n',
    });
    for (const verb of ['run', 'validate', 'list']) {
      const { code, stderr } = await run(`${verb} --config wrong.yaml`);
      expect(code, verb).toBe(2);
      expect(stderr, verb).toContain('wrong.yaml:3:6: error: no run can be written here:');
      expect(stderr, verb).toContain('> 3 | out: file');
    }
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
    await mkdir(join(folder, 'o', 'report.json'), { recursive: true });
    await symlink(join(folder, 'nothing'), join(folder, 'link'));
    for (const out of ['file/below', 'o', 'link']) {
      const env = { KEY: 'sk-1234567' };
      expect((await chatspec(['run', '--out', out], { cwd: folder, env })).code, out).toBe(2);
    }
    await service.close();
    expect(asked).toBe(0);
  });

  test.each([
    'run --out o',
    'run --resume --out o',
    'rejudge r --out o',
    'report r --format md --out o',
    'merge s --out o',
  ])('is reported at once when a folder has the name of a report: %s', async (line) => {
    if (line.startsWith('merge')) await run('run --out s --shard 1/1');
    const report = join(folder, 'o', line.startsWith('report') ? 'report.md' : 'report.json');
    await mkdir(report, { recursive: true });
    // A killed run leaves one.
    if (line.includes('--resume')) await writeFiles(folder, { 'o/journal.jsonl': '' });
    const before = await readdir(join(folder, 'o'));
    const { code, stdout, stderr } = await run(line);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`cannot write to ${report}: it is a folder`);
    expect(await readdir(join(folder, 'o'))).toEqual(before);
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

  test('causes no message once it is set', async () => {
    expect((await chatspec(['validate'], { cwd: folder, env: { SHOP_KEY: 'sk-1234567' } })).stderr).toBe('');
  });
});
