import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { aliasBomb } from '../support/alias-bomb.js';
import { chatspec, writeFiles, type CliResult } from '../support/cli.js';
import { serveHttp } from '../support/loopback.js';
import { tempFolder } from '../support/temp-folder.js';

/**
 * Damage that people, editors and disks do to files and command lines. Each case gives one clear error, exit code 2 (or 3
 * where something could not be measured) and no stack trace, and leaves no file behind.
 */
interface Hostile {
  readonly name: string;
  readonly says: RegExp;
  readonly config?: string | Buffer;
  readonly suite?: string | Buffer;
  readonly baseline?: string | Buffer;
  /** More files. */
  readonly files?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Changes the folder once the files are written. */
  readonly prepare?: (folder: string) => Promise<unknown>;
}

const config =
  'targets: { t: { base_url: simulator, models: [sim-reference] } }\nsuites: [s.yaml]\nbaseline: baseline.yaml\n';
const baseline = 'format: chatspec-baseline/1\ncovers: ["*@t/*"]\nexpect: []\n';
const request = 'request: { messages: [{ role: user, content: hello }] }';
const suiteOf = (...lines: readonly string[]): string =>
  `suite: s\nprobes:\n  p:\n${lines.map((line) => `    ${line}\n`).join('')}`;
const suite = suiteOf(request);
const target = (fields: string): string => `targets: { t: { ${fields} } }\nsuites: [s.yaml]\n`;
const entry = (fields: string): string => `format: chatspec-baseline/1\ncovers: ["*"]\nexpect:\n  - { ${fields} }\n`;
const says = (content: string): string => suiteOf(`request: { messages: [{ role: user, content: '${content}' }] }`);
const withSchema = (schema: string): string =>
  suiteOf(
    `request: { messages: [], response_format: { type: json_schema, json_schema: { name: x, schema: ${schema} } } }`,
  );
const rule = (assert: string): string => suiteOf(request, `expect: { rules: [{ id: r, assert: ${assert} }] }`);
const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
const notUtf8 = Buffer.from([0x73, 0x3a, 0x20, 0xff, 0xfe, 0x0a]);

const configs: readonly Hostile[] = [
  { name: 'an empty config', config: '', says: /empty/ },
  { name: 'a config that is a list', config: '- a\n', says: /expected a mapping/ },
  { name: 'a config that is not YAML', config: 'targets: { t: [\n', says: /./ },
  { name: 'a config with tabs', config: 'targets:\n\tt: 1\n', says: /tab/i },
  { name: 'a config that is not UTF-8', config: notUtf8, says: /not UTF-8/ },
  { name: 'a config as an alias bomb', config: aliasBomb, says: /far too much data/ },
  { name: 'a config that is nested too deeply', config: `targets: ${deep}\n`, says: /./ },
  { name: 'a config of 6 MB', config: `# ${'x'.repeat(6_000_000)}\n`, says: /6\.0 MB/ },
  { name: 'two documents in a config', config: `${config}---\n${config}`, says: /document/ },
  { name: 'a key twice', config: `${config}suites: [s.yaml]\n`, says: /twice|unique/ },
  { name: 'no targets', config: 'suites: [s.yaml]\n', says: /"targets" is missing/ },
  {
    name: 'a target in capitals',
    config: 'targets: { My Target: { base_url: simulator, models: [m] } }\n',
    says: /kebab-case/,
  },
  { name: 'a model twice', config: target('base_url: simulator, models: [m, m]'), says: /twice|the same/ },
  {
    name: 'an unknown key',
    config: target('base_url: simulator, models: [m], limit: {}'),
    says: /unknown key "limit"/,
  },
  {
    name: 'a Messages-style address',
    config: target('base_url: "https://s.example/v1/messages", models: [m]'),
    says: /write https:\/\/s\.example\/v1/,
  },
  {
    name: 'an address of a variable that is not set',
    config: target('base_url: { env: NO_SUCH_ADDRESS }, models: [m]'),
    says: /NO_SUCH_ADDRESS is not set/,
  },
  {
    name: 'the address of an endpoint',
    config: target('base_url: "https://s.example/v1/chat/completions", models: [m]'),
    says: /write https:\/\/s\.example\/v1/,
  },
  { name: 'an address of a file', config: target('base_url: "file:///etc/v1", models: [m]'), says: /http/ },
  {
    name: 'an address with a password',
    config: target('base_url: "https://a:b@s.example/v1", models: [m]'),
    says: /user name or password/,
  },
  {
    name: 'a key in the config',
    config: target('base_url: simulator, models: [m], api_key: hello-there'),
    says: /key/,
  },
  { name: 'an invalid redact pattern', config: `${config}redact: ["("]\n`, says: /regular expression|pattern/i },
  { name: 'suites that match nothing', config: config.replace('s.yaml', 'none/*.yaml'), says: /none\/\*\.yaml/ },
  {
    name: 'an unknown built-in suite',
    config: config.replace('s.yaml', 'builtin:cor'),
    says: /did you mean "builtin:core"/,
  },
  { name: 'a missing config', args: ['run', '--config', 'nowhere.yaml'], says: /no such file|no config/ },
  { name: 'a folder for a config', args: ['run', '--config', '.'], says: /folder/ },
  { name: 'a config below a file', args: ['run', '--config', 's.yaml/c.yaml'], says: /there is no config file/ },
  {
    name: 'a config in a circle of links',
    args: ['run', '--config', 'circle.yaml'],
    prepare: (folder) => symlink('circle.yaml', join(folder, 'circle.yaml')),
    says: /loop/,
  },
  { name: 'a config whose name contains a NUL', args: ['run', '--config', 'a\0b'], says: /character/ },
];

const suites: readonly Hostile[] = [
  { name: 'an empty suite', suite: '', says: /empty/ },
  { name: 'a suite that is not YAML', suite: 'suite: [a\n', says: /s\.yaml:2/ },
  { name: 'a probe called __proto__', suite: `suite: s\nprobes:\n  __proto__: { ${request} }\n`, says: /__proto__/ },
  { name: 'a probe twice', suite: `${suite}  p: { ${request} }\n`, says: /twice/ },
  { name: 'an unknown key in a probe', suite: suiteOf(request, 'expects: {}'), says: /did you mean "expect"/ },
  {
    name: 'the same suite in two files',
    files: { 't.yaml': suite },
    config: config.replace('[s.yaml]', '[s.yaml, t.yaml]'),
    says: /s\.yaml|t\.yaml/,
  },
  {
    name: 'a folder for a suite',
    config: config.replace('s.yaml', 'd.yaml'),
    prepare: (folder) => mkdir(join(folder, 'd.yaml')),
    says: /d\.yaml/,
  },
  { name: 'a $ref to nowhere', suite: withSchema('{ $ref: ./none.json }'), says: /none\.json/ },
  {
    name: 'a $ref out of the project',
    suite: withSchema('{ $ref: ../../../../../../etc/passwd.json }'),
    says: /leaves the project/,
  },
  {
    name: 'a $ref by a link out of the project',
    suite: withSchema('{ $ref: ./out.json }'),
    prepare: (folder) => symlink('/etc/hostname', join(folder, 'out.json')),
    says: /leaves the project/,
  },
  {
    name: 'a $ref in a circle',
    suite: withSchema('{ $ref: ./a.json }'),
    files: { 'a.json': '{"$ref":"./b.json"}', 'b.json': '{"$ref":"./a.json"}' },
    says: /circle|itself/,
  },
  {
    name: 'a $ref to a file that is not JSON',
    suite: withSchema('{ $ref: ./a.json }'),
    files: { 'a.json': '{ "a": }' },
    says: /a\.json/,
  },
  { name: 'a $ref to an address', suite: withSchema('{ $ref: "https://s.example/a.json" }'), says: /s\.example/ },
  { name: 'an invalid schema', suite: withSchema('{ type: strng }'), says: /not a JSON Schema/ },
  { name: 'a schema that leads nowhere', suite: withSchema('{ $ref: "#/$defs/none" }'), says: /none/ },
  {
    name: 'an invalid pattern',
    suite: withSchema('{ type: object, properties: { a: { type: string, pattern: "(" } } }'),
    says: /pattern|regular expression/i,
  },
  { name: 'a template without its closing braces', suite: says('{{buyer'), says: /template/ },
  { name: 'an undefined name', suite: says('{{byer}}'), says: /byer/ },
  { name: 'the constructor in a template', suite: says('{{constructor.constructor}}'), says: /constructor/ },
  { name: 'a rule that is not JSONata', suite: rule('"value = ("'), says: /JSONata|rule|expected/i },
  { name: 'missing samples', suite: suiteOf(request, 'samples: none.jsonl'), says: /none\.jsonl/ },
  {
    name: 'samples that are empty',
    suite: suiteOf(request, 'samples: e.jsonl'),
    files: { 'e.jsonl': '' },
    says: /e\.jsonl|empty/,
  },
  {
    name: 'samples that are not JSON',
    suite: suiteOf(request, 'samples: e.jsonl'),
    files: { 'e.jsonl': '{"a":1}\n{"a":\n' },
    says: /e\.jsonl:2/,
  },
  {
    name: 'rates the wrong way round',
    suite: suiteOf(request, 'trials: { until: decided, reliable: 0.5, broken: 0.7 }'),
    says: /must be above/,
  },
  {
    name: 'a search along an unknown axis',
    suite: suiteOf(request, 'find: { axis: depth, from: 1, to: 3 }'),
    says: /depth/,
  },
  {
    name: 'a valid document that is invalid',
    suite: suiteOf('enforce: { keyword: enum, schema: { enum: [a] }, valid: b, invalid: c }'),
    says: /does not conform/,
  },
  { name: 'a label with a bracket', suite: suiteOf(request, 'vary: { x: { "a]": 1 } }'), says: /not a label/ },
  { name: 'a need that does not exist', suite: suiteOf(request, 'needs: [s/q]'), says: /s\/q/ },
  {
    name: 'needs in a circle',
    suite: `${suiteOf(request, 'needs: [s/q]')}  q: { ${request}, needs: [s/p] }\n`,
    says: /itself/,
  },
  {
    name: 'a million cells',
    suite: suiteOf(
      request,
      'vary:',
      ...['a', 'b', 'c', 'd', 'e', 'f'].map((axis) => `  ${axis}: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]`),
    ),
    says: /cells|points/,
  },
];

const baselines: readonly Hostile[] = [
  { name: 'an empty baseline', baseline: '', says: /empty/ },
  { name: 'a baseline that is not YAML', baseline: 'covers: [\n', says: /baseline\.yaml/ },
  { name: 'a baseline of another format', baseline: baseline.replace('/1', '/9'), says: /chatspec-baseline\/1/ },
  {
    name: 'an entry without verdict',
    baseline: entry('key: "s/p@t/sim-reference", date: 2026-01-01'),
    says: /"verdict" is missing/,
  },
  {
    name: 'an entry twice',
    baseline: `${entry('key: "s/p@t/m", verdict: fail, class: not_json, date: 2026-01-01')}  - { key: "s/p@t/m", verdict: fail, class: not_json, date: 2026-01-01 }\n`,
    says: /has two entries/,
  },
  {
    name: 'an unknown key in an entry',
    baseline: entry('key: "s/p@t/m", verdict: fail, class: not_json, date: 2026-01-01, nte: hello'),
    says: /"note"/,
  },
  {
    name: 'a folder for a baseline',
    config: config.replace('baseline.yaml', 'd'),
    prepare: (folder) => mkdir(join(folder, 'd')),
    says: /folder/,
  },
];

/** A later type of line, which says nothing about the run. */
const withoutBeginning = '{"type":"later"}\n';
const line = (...args: readonly string[]): Pick<Hostile, 'args'> => ({ args });
const lines: readonly Hostile[] = [
  { name: 'no verb', ...line(), says: /Usage/ },
  { name: 'an unknown verb', ...line('rum'), says: /did you mean "run"/ },
  { name: 'an option without value', ...line('run', '--out'), says: /argument missing/ },
  { name: 'an option named like a member of Object', ...line('run', '--__proto__', 'x'), says: /unknown option/ },
  { name: 'zero trials', ...line('run', '--trials', '0'), says: /--trials must be a whole number/ },
  { name: 'a negative seed', ...line('run', '--seed=-1'), says: /not "-1"/ },
  { name: 'a pattern without match', ...line('run', '--only', 's/q'), says: /matches nothing/ },
  { name: 'a tag that no probe has', ...line('run', '--tags', 'nightli'), says: /nightli/ },
  { name: 'nothing left', ...line('run', '--skip', '*'), says: /./ },
  { name: 'an unknown model', ...line('doctor', '--model', 'gpt'), says: /no model "gpt"/ },
  { name: 'an unknown action', ...line('baseline', 'forget', 'r'), says: /its actions: accept/ },
  { name: 'a report of a missing run', ...line('report', 'r'), says: /r\/report\.json/ },
  {
    name: 'a report.json of something else',
    ...line('report', 'x.json'),
    files: { 'x.json': '{"a":1}' },
    says: /it has no "format", which is "chatspec-report\/1" in a report/,
  },
  {
    name: 'a report that is cut',
    ...line('report', 'x.json'),
    files: { 'x.json': '{"format":"chatspec-rep' },
    says: /it is not JSON: Unterminated string \(line 1, column 24\)/,
  },
  {
    name: 'rejudging a file that is not a journal',
    ...line('rejudge', 'r'),
    files: { 'r/journal.jsonl': 'hello\n' },
    says: /not JSON/,
  },
  {
    name: 'judging a list',
    ...line('rejudge', 'r'),
    files: { 'r/journal.jsonl': '[]\n' },
    says: /not a journal event/,
  },
  {
    name: 'rejudging a journal without its beginning',
    ...line('rejudge', 'r'),
    files: { 'r/journal.jsonl': withoutBeginning },
    says: /journal\.jsonl:1 is not the beginning of a run/,
  },
  {
    name: 'resuming from a journal without its beginning',
    ...line('run', '--resume', '--out', 'r'),
    files: { 'r/journal.jsonl': withoutBeginning },
    says: /journal\.jsonl:1 is not the beginning of a run/,
  },
  { name: 'a diff of one run', ...line('diff', 'r'), says: /BASE HEAD/ },
  {
    name: 'resuming from a file that is not a journal',
    ...line('run', '--resume', '--out', 'r'),
    files: { 'r/journal.jsonl': 'hello\n' },
    says: /not JSON/,
  },
  { name: 'a file for a run folder', ...line('run', '--out', 's.yaml'), says: /s\.yaml/ },
  { name: 'a run folder below a file', ...line('run', '--out', 's.yaml/r'), says: /s\.yaml/ },
  { name: 'a run folder whose name contains a NUL', ...line('run', '--out', 'a\0b'), says: /a.?b|null/ },
  {
    name: 'a folder that holds a run',
    ...line('run', '--out', 'r'),
    files: { 'r/journal.jsonl': '' },
    says: /already holds a run/,
  },
];

const keyed = target('base_url: "http://127.0.0.1:9/v1", api_key_env: K, models: [m]');
const keys: readonly Hostile[] = [
  { name: 'no key', config: keyed, says: /K is not set/ },
  { name: 'a key of two lines', config: keyed, env: { K: 'sk-a\nx-other: b' }, says: /not allowed in a header/ },
  { name: 'a key with curly quotes', config: keyed, env: { K: '“sk-abcdefgh”' }, says: /not allowed in a header/ },
  {
    name: 'a header whose variable is not set',
    config: target('base_url: "http://127.0.0.1:9/v1", headers: { x-a: { env: NONE } }, models: [m]'),
    says: /NONE is not set/,
  },
  { name: 'a folder for .env', prepare: (folder) => mkdir(join(folder, '.env')), says: /\.env|folder/ },
];

const all: Readonly<Record<string, readonly Hostile[]>> = {
  config: configs,
  suite: suites,
  baseline: baselines,
  'command line': lines,
  key: keys,
};

describe.each(Object.entries(all))('hostile %s:', (_, cases) => {
  test.each(cases)('$name', async (hostile) => {
    const folder = await tempFolder();
    await writeFiles(folder, { 'package.json': '{}', ...hostile.files });
    await writeFile(join(folder, 'chatspec.yaml'), hostile.config ?? config);
    await writeFile(join(folder, 's.yaml'), hostile.suite ?? suite);
    await writeFile(join(folder, 'baseline.yaml'), hostile.baseline ?? baseline);
    await hostile.prepare?.(folder);
    const before = await everythingIn(folder);
    const result = await chatspec(hostile.args ?? ['run', '--out', 'out'], { cwd: folder, env: hostile.env ?? {} });
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expectOneClearError(result, hostile.says);
    expect(await everythingIn(folder)).toEqual(before);
  });
});

describe('a hostile service', () => {
  const limits = 'limits: { retries: 0, timeout_s: 1 }';

  test.each([
    ['is not there', 'http://127.0.0.1:1/v1'],
    ['has an unknown host name', 'http://nowhere.invalid/v1'],
    ['does not speak TLS', 'https://127.0.0.1:1/v1'],
  ])('that %s cannot be measured', async (_, url) => {
    const folder = await tempFolder();
    await writeFiles(folder, {
      'chatspec.yaml': target(`base_url: '${url}', ${limits}, models: [m]`),
      's.yaml': suite,
    });
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
    const folder = await tempFolder();
    await writeFiles(folder, {
      'chatspec.yaml': target(`base_url: '${service.baseUrl}', ${limits}, models: [m]`),
      's.yaml': suite,
    });
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
