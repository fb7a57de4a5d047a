import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { aliasBomb } from '../support/alias-bomb.js';
import { chatspec, writeFiles, type CliResult } from '../support/cli.js';
import { serveHttp } from '../support/loopback.js';
import { tempFolder } from '../support/temp-folder.js';

/**
 * Damage that people, editors and disks do to files and command lines. Each case gives one clear error, exit code 2 (or
 * 3 where something could not be measured) and no stack trace, and leaves no file behind.
 */
interface Hostile {
  readonly name: string;
  /** A pattern, in any case. */
  readonly says: string;
  readonly config?: string | Buffer;
  readonly target?: string;
  readonly more?: string;
  readonly suite?: string;
  readonly probe?: string;
  readonly schema?: string;
  readonly baseline?: string;
  readonly entry?: string;
  /** More files. */
  readonly files?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Changes the folder once the files are written. */
  readonly prepare?: (folder: string) => Promise<unknown>;
}
const written = parse(readFileSync('fixtures/hostile/mistakes.yaml', 'utf8')) as Readonly<
  Record<string, readonly Hostile[]>
>;

const config =
  'targets: { t: { base_url: simulator, models: [sim-reference] } }\nsuites: [s.yaml]\nbaseline: baseline.yaml\n';
const suiteOf = (...lines: readonly string[]): string =>
  `suite: s\nprobes:\n  p:\n${lines.map((line) => `    ${line.replaceAll('\n', '\n    ')}\n`).join('')}`;
const request = 'request: { messages: [{ role: user, content: hello }] }';
const suite = suiteOf(request);
const target = (fields: string): string => `targets: { t: { ${fields} } }\nsuites: [s.yaml]\n`;
const withSchema = (schema: string): string =>
  suiteOf(
    `request: { messages: [], response_format: { type: json_schema, json_schema: { name: x, schema: ${schema} } } }`,
  );
const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
const at = (name: string, make: (path: string) => Promise<unknown>) => ({
  prepare: (folder: string) => make(join(folder, name)),
});

/** What cannot be written down as text, or is too long to be. */
const made: readonly Hostile[] = [
  { name: 'a config that is not UTF-8', config: Buffer.from([0x73, 0x3a, 0x20, 0xff, 0xfe]), says: 'not UTF-8' },
  { name: 'a config as an alias bomb', config: aliasBomb, says: 'far too much data' },
  { name: 'a config that is nested too deeply', config: `targets: ${deep}\n`, says: '.' },
  { name: 'a config of 6 MB', config: `# ${'x'.repeat(6_000_000)}\n`, says: '6\\.0 MB' },
  {
    ...{ name: 'a config in a circle of links', args: ['run', '--config', 'circle.yaml'], says: 'loop' },
    ...at('circle.yaml', (path) => symlink('circle.yaml', path)),
  },
  {
    ...{ name: 'a folder for a suite', config: config.replace('s.yaml', 'd.yaml'), says: 'd\\.yaml' },
    ...at('d.yaml', (path) => mkdir(path)),
  },
  {
    ...{ name: 'a $ref by a link out of the project', schema: '{ $ref: ./out.json }', says: 'leaves the project' },
    ...at('out.json', (path) => symlink('/etc/hostname', path)),
  },
  {
    ...{ name: 'a folder for a baseline', config: config.replace('baseline.yaml', 'd'), says: 'folder' },
    ...at('d', (path) => mkdir(path)),
  },
  { name: 'a folder for .env', ...at('.env', (path) => mkdir(path)), says: '\\.env|folder' },
];

/** The files that a row writes. */
function filesOf(row: Hostile): Readonly<Record<string, string | Buffer>> {
  const { probe, schema, entry, target: fields, more = '' } = row;
  const asked = probe === undefined ? suite : suiteOf(request, probe);
  const entries = entry === undefined ? '["*@t/*"]\nexpect: []\n' : `["*"]\nexpect:\n  - { ${entry} }\n`;
  return {
    'package.json': '{}',
    ...row.files,
    'chatspec.yaml': row.config ?? (fields === undefined ? config + more : target(fields)),
    's.yaml': row.suite ?? (schema === undefined ? asked : withSchema(schema)),
    'baseline.yaml': row.baseline ?? `format: chatspec-baseline/1\ncovers: ${entries}`,
  };
}

describe.each(Object.entries({ ...written, made }))('hostile %s:', (_, cases) => {
  test.each(cases)('$name', async (hostile) => {
    const folder = await tempFolder();
    for (const [name, content] of Object.entries(filesOf(hostile))) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), content);
    }
    await hostile.prepare?.(folder);
    const before = await everythingIn(folder);
    const result = await chatspec(hostile.args ?? ['run', '--out', 'out'], { cwd: folder, env: hostile.env ?? {} });
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expectOneClearError(result, new RegExp(hostile.says, 'i'));
    expect(await everythingIn(folder)).toEqual(before);
  });
});

describe('a hostile service', () => {
  const asking = async (url: string): Promise<string> => {
    const folder = await tempFolder();
    const fields = `base_url: '${url}', limits: { retries: 0, timeout_s: 1 }, models: [m]`;
    await writeFiles(folder, { 'chatspec.yaml': target(fields), 's.yaml': suite });
    return folder;
  };

  test.each([
    ['is not there', 'http://127.0.0.1:1/v1'],
    ['has an unknown host name', 'http://nowhere.invalid/v1'],
    ['does not speak TLS', 'https://127.0.0.1:1/v1'],
  ])('that %s cannot be measured', async (_, url) => {
    const folder = await asking(url);
    const result = await chatspec(['run', '--out', 'out'], { cwd: folder });
    expect(result.code).toBe(3);
    expect(result.stderr).toContain('t/m cannot be reached');
    expect(result.stderr).not.toMatch(/bug in chatspec|\n\s+at /);
  });

  test.each([
    ['hangs', () => {}],
    ['is a web page', (response: Response) => response.end('<!doctype html><h1>Welcome</h1>')],
    ['refuses the key', (response: Response) => response.writeHead(401).end('{"error":"no"}')],
    [
      'does not know the model',
      (response: Response) => response.writeHead(404).end('{"error":{"code":"model_not_found"}}'),
    ],
    ['says nothing', (response: Response) => response.end()],
    ['hangs up', (response: Response) => response.destroy()],
  ] as const)('that %s cannot be measured', async (_, answer) => {
    const service = await serveHttp((_request, response) => void answer(response));
    onTestFinished(() => service.close());
    const folder = await asking(service.baseUrl);
    const result = await chatspec(['run', '--out', 'out', '--fail-on', 'never'], { cwd: folder });
    expect(result.stderr).not.toMatch(/bug in chatspec|\n\s+at /);
    const report = JSON.parse(await readFile(join(folder, 'out', 'report.json'), 'utf8')) as {
      cells: { verdict: string }[];
    };
    expect(report.cells.map(({ verdict }) => verdict)).not.toContain('pass');
    expect((await chatspec(['doctor'], { cwd: folder })).code).toBe(3);
  });
});

type Response = Parameters<Parameters<typeof serveHttp>[0]>[1];

/** Expects one error, with a message of its own; there may be warnings as well. */
function expectOneClearError({ stderr }: CliResult, wanted: RegExp): void {
  expect(stderr).toMatch(wanted);
  expect(stderr).not.toMatch(/bug in chatspec|\n\s+at .*:\d+:\d+|\[object Object\]|undefined/);
  const errors = stderr.match(/^(\S.*: )?error: .*$/gm) ?? [];
  if (!stderr.startsWith('Usage:')) expect(errors, stderr).toHaveLength(1);
}

/** Paths with the contents of their files. */
async function everythingIn(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const described = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    return [path, entry.isFile() ? await readFile(path, 'latin1') : 'no file'] as const;
  });
  return Object.fromEntries(await Promise.all(described));
}
