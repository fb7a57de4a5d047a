import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadProject, UserError } from '../../src/index.js';
import { chatspec } from '../support/cli.js';
import { tempFolder } from '../support/temp-folder.js';

const config = `targets:
  demo:
    base_url: simulator
    models: [sim-reference]
suites: [s.yaml]
`;
const suite = (field: string) => `suite: own
probes:
  json-schema:
    capability: json_schema
    request:
      messages: [{ role: user, content: Say hello. }]
      ${field}: { type: json_object }
`;

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const cwd = await tempFolder();
  for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
  return cwd;
}

describe('a misspelt field of a request', () => {
  test.each([['run'], ['run', '--dry-run'], ['list'], ['validate']])('ends %s %s with exit 2', async (...args) => {
    const cwd = await folderWith({ 'chatspec.yaml': config, 's.yaml': suite('respones_format') });
    const { code, stderr } = await chatspec(args, { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('s.yaml:7:7: error: a request has no field "respones_format"');
    expect(stderr).toContain('did you mean "response_format"?');
    expect(await readdir(cwd)).not.toContain('reports');
  });

  test('stops a program that embeds chatspec', async () => {
    const cwd = await folderWith({ 'chatspec.yaml': config, 's.yaml': suite('respones_format') });
    await expect(loadProject(join(cwd, 'chatspec.yaml'))).rejects.toThrow(UserError);
  });
});

test('a request without messages is told once, at what sends it, with the step', async () => {
  const asking =
    'suite: own\ndefaults: { request: { max_tokens: 4 } }\nprobes:\n  a:\n    title: A\n  b:\n    request: {}\n';
  const cwd = await folderWith({ 'chatspec.yaml': config, 's.yaml': asking });
  const { stderr } = await chatspec(['validate'], { cwd });
  const lines = stderr.split('\n').filter((line) => /error:|→/.test(line));
  expect(lines).toEqual([
    's.yaml:4:3: error: the probe "a" asks nothing: "request", "steps" or "enforce" is missing',
    '  → add request: { messages: [{ role: user, content: ... }] }',
    's.yaml:7:5: error: the request has no "messages"',
    '  → add messages: [{"role":"user","content":"Say hello."}]',
  ]);
});

test('a warning about a request fails nothing', async () => {
  const cwd = await folderWith({ 'chatspec.yaml': config, 's.yaml': suite('house_style') });
  const { code, stderr } = await chatspec(['run'], { cwd });
  expect(stderr).toContain('s.yaml:7:7: warning: a request has no field "house_style"');
  expect(code).not.toBe(2);
});

test('validate reports the problems of config and suites at once, in the order of the lines', async () => {
  const cwd = await folderWith({
    'chatspec.yaml': `targets:
  demo:
    base_url: simulator
    limts: { concurrency: 2 }
    settings: { thinking: { a: { thinkng: { type: on } } } }
    models: [{ id: sim-reference, request: { max_token: 5 } }]
suites: [s.yaml]
budgt: { requests: 5 }
`,
    's.yaml': `suite: own
titel: Misspelt
defaults: { request: { temprature: 0 } }
probes:
  one:
    reqest:
      messages: [{ role: user, contnet: '{{who}}' }]
    expects: { outcome: truncate }
    trials: many
  two:
    vary: 5
    request: { messages: [], max_tokn: 5 }
  three:
    request: { messages: [{ role: user, content: hi }], tool_choice: auto }
    expect: { outcom: truncated }
    when: [{ point: { x: 1 }, expect: {} }]
    needs: [own/nobody]
`,
  });
  const { code, stdout } = await chatspec(['validate', '--json'], { cwd });
  expect(code).toBe(2);
  const { problems } = JSON.parse(stdout) as {
    problems: { message: string; place: { file: string; line: number; column: number } }[];
  };
  expect(
    problems.map(
      ({ message, place }) => `${place.file.slice(cwd.length + 1)}:${place.line}:${place.column} ${message}`,
    ),
  ).toEqual([
    'chatspec.yaml:4:5 targets.demo: unknown key "limts"',
    'chatspec.yaml:5:34 a request has no field "thinkng"',
    'chatspec.yaml:6:46 a request has no field "max_token"',
    'chatspec.yaml:8:1 unknown key "budgt"',
    's.yaml:2:1 unknown key "titel"',
    's.yaml:3:24 a request has no field "temprature"',
    's.yaml:6:5 probes.one: unknown key "reqest"',
    's.yaml:8:5 probes.one: unknown key "expects"',
    's.yaml:9:13 probes.one.trials: expected a whole number or a mapping, found the text "many"',
    's.yaml:11:11 probes.two.vary: expected a mapping, found the number 5',
    's.yaml:14:57 tool_choice stands without tools',
    's.yaml:15:15 probes.three.expect: unknown key "outcom"',
    's.yaml:16:23 there is no axis "x"',
  ]);
});

test('a request that asks for nothing is a warning at its place, unless it is meant', async () => {
  const probes = (deliberate: string) => `suite: own
defaults: { request: { n: 0 } }
probes:
  empty:
    request: { messages: [], tools: [], stop: [] }${deliberate}
  varied:
    request: { messages: [], n: 1 }
    vary: { messages: { short: [{ role: user, content: hi }], none: [] } }
`;
  const validate = async (deliberate: string) => {
    const cwd = await folderWith({ 'chatspec.yaml': config, 's.yaml': probes(deliberate) });
    const { code, stdout } = await chatspec(['validate', '--json'], { cwd });
    expect(code).toBe(0);
    const { problems } = JSON.parse(stdout) as {
      problems: { message: string; place: { line: number; column: number } }[];
    };
    return problems.flatMap(({ message, place }) =>
      message.includes('api_key_env') ? [] : [`${place.line}:${place.column} ${message}`],
    );
  };
  expect(await validate('')).toEqual([
    '2:27 n is 0, and must be 1 or more',
    '5:26 messages is empty',
    '5:37 tools is empty',
    '5:47 stop is empty',
    '8:69 messages is empty',
  ]);
  expect(await validate('\n    deliberate: [/messages, /tools, /stop, /n]')).toEqual(['9:69 messages is empty']);
});
