import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, test } from 'vitest';
import { verbGroups } from '../../src/cli/verbs.js';
import { chatspec, writeFiles } from '../support/cli.js';
import { projectFolder, section, tableRows } from '../support/documents.js';
import { lastingFolder } from '../support/lasting-folder.js';

const verbs = Object.values(verbGroups).flat();

/** What each verb prints with --json, against the schema that ships for it. */

const suite = `suite: part
probes:
  plain: { request: { messages: [{ role: user, content: Say hello. }], max_tokens: 200 } }
  object:
    request:
      messages: [{ role: user, content: Order a lamp. }]
      max_tokens: 2000
      tools: [{ type: function, function: { name: order, parameters: { type: object, properties: { item: { type: string } }, required: [item], additionalProperties: false } } }]
    vary: { tool_choice: { auto: auto, object: { type: function, function: { name: order } } } }
  unset: { request: { messages: [{ role: user, content: Say hello. }] }, vary: { thinking: { settings: thinking } } }
`;
const config = (more = '') =>
  `targets: { t: { base_url: simulator, models: [{ id: sim-reference, price: { prompt: 1, completion: 2 } }, sim-object-500${more}] } }\nsuites: [part.yaml]\nbaseline: baseline.yaml\n`;

/** Each call with the name of its schema: ordinary ones, and those in which lists that are often empty are not. */
const calls: readonly (readonly [schema: string, command: string])[] = [
  ['report', 'run --out again'],
  ['list', 'run --dry-run'],
  ['list', 'list'],
  ['list', 'list --shard 2/2'],
  ['validate', 'validate'],
  ['validate', 'validate --config broken.yaml'],
  ['report', 'report r1'],
  ['issue', 'report r1 --format issue'],
  ['issue', 'report r1 --format issue --history .'],
  ['report', 'rejudge r1 --out judged'],
  ['report', 'merge s1 s2 --out merged'],
  ['diff', 'diff r1 r1'],
  ['diff', 'diff r1 --models sim-reference sim-object-500'],
  ['accept', 'baseline accept r1 --dry-run'],
  ['accept', 'baseline accept r1'],
  ['accept', 'baseline accept r1'],
  ['doctor', 'doctor'],
  ['doctor', 'doctor --config unreachable.yaml'],
  ['evidence', 'evidence r1 part/object[tool_choice=object]@t/sim-object-500'],
  ['evidence', 'evidence r1 part/plain part/object[tool_choice=object]'],
  ['prune', 'prune --keep 1 --dry-run --config here.yaml'],
  ['nothing-to-ask', 'run --models sim-reference --last-failed r1'],
  ['judge', 'judge pair.json'],
  ['init', 'init --config other/chatspec.yaml'],
  ['init', 'init --config other/chatspec.yaml'],
  ['capabilities', 'capabilities export r1'],
  ['check', 'check --model sim-reference --schema order.json --prompt Order.a.lamp,.as.JSON.'],
  ['clients-try', 'clients try --quirks done_missing,http_error -- node client.mjs'],
  ['shapes-changes', 'shapes record -- node client.mjs'],
  ['shapes-changes', 'shapes check --against r1 -- node client.mjs longer'],
];

let cwd: string;
beforeAll(async () => {
  cwd = await lastingFolder();
  await writeFiles(cwd, {
    'chatspec.yaml': config(),
    'part.yaml': suite,
    'broken.yaml': config(', sim-x').replace('models', 'modles'),
    'order.json':
      '{"type":"object","properties":{"item":{"type":"string"}},"required":["item"],"additionalProperties":false}',
    'client.mjs': `const body = { model: 'm', messages: [{ role: 'user', content: 'hi' }], ...(process.argv[2] && { seed: 1 }) };
      const headers = { 'content-type': 'application/json' };
      await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', { method: 'POST', headers, body: JSON.stringify(body) });`,
    'pair.json': '{"request":{"messages":[]},"answer":{"status":429,"body":""}}',
    'here.yaml': `${config()}out: '{stamp}'\n`,
    'unreachable.yaml':
      "targets: { t: { base_url: 'http://127.0.0.1:9/v1', limits: { retries: 0, timeout_s: 1 }, models: [m] } }\nsuites: [part.yaml]\n",
  });
  for (const run of ['run --out r1 --trials 5', 'run --shard 1/2 --out s1', 'run --shard 2/2 --out s2']) {
    await chatspec(run.split(' '), { cwd });
  }
});

/** The same schema, but no object may have members that it does not describe. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const members = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, closed(value)]));
  const isClosed = members['type'] === 'object' && 'properties' in members && !('additionalProperties' in members);
  return isClosed ? { ...members, additionalProperties: false } : members;
}

const schemaNamed = (name: string): object =>
  JSON.parse(readFileSync(join(projectFolder, 'schemas', `${name}.schema.json`), 'utf8')) as object;

function misfits(name: string, data: unknown): unknown {
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
  addFormats.default(ajv);
  const valid = ajv.compile(closed(schemaNamed(name)) as object);
  return valid(data) ? [] : valid.errors;
}

describe('the JSON of', () => {
  test.each(calls)('%s: %s', async (schema, command) => {
    const [verb = '', ...others] = command.split(' ');
    const json = command.endsWith('--format issue') ? [] : ['--json'];
    const { stdout, stderr } = await chatspec([verb, ...json, ...others], {
      cwd,
      env: { PATH: process.env['PATH'] ?? '' },
    });
    expect(stdout, stderr).not.toBe('');
    const data: unknown = JSON.parse(stdout);
    expect(misfits(schema, data)).toEqual([]);
  });

  test('simulate, in one line', () => {
    const printed = { base_url: 'http://127.0.0.1:8080/v1', models: ['sim-reference'] };
    expect(misfits('simulate', printed)).toEqual([]);
    expect(misfits('simulate', { ...printed, port: 8080 })).not.toEqual([]);
  });
});

describe('docs/commands.md', () => {
  const rows = tableRows(section('docs/commands.md', '## JSON')).flatMap(([called = '', file = '']) =>
    [...called.matchAll(/`([^`]+)`/g)].map(([, verb = '']) => ({
      verb,
      schema: /`([\w-]+)\.schema\.json`/.exec(file)?.[1] ?? '',
    })),
  );

  test('names a schema that ships for every verb with --json', () => {
    const printing = verbs.filter(({ options }) => options.some(([flags]) => flags.startsWith('--json')));
    const named = new Set(rows.map(({ verb }) => verb.split(' ')[0]));
    for (const { usage } of printing) expect(named).toContain(usage.split(' ')[0]);
    for (const { schema } of rows)
      expect(existsSync(join(projectFolder, 'schemas', `${schema}.schema.json`)), schema).toBe(true);
  });

  test('names the schema by which the output is tested', () => {
    const byVerb = new Map(rows.map(({ verb, schema }) => [verb, schema]));
    for (const [schema, command] of calls) {
      const verb = [...byVerb.keys()].sort((a, b) => b.length - a.length).find((one) => isOf(command, one)) ?? '';
      expect({ command, schema: byVerb.get(verb) }).toEqual({ command, schema });
    }
  });
});

/** `report --format issue` is of `report RUN --format issue`, and more so than of `report`. */
const isOf = (command: string, verb: string): boolean =>
  verb.split(' ').every((word) => command.split(' ').includes(word));

test('an error stays text on stderr, and nothing is printed that looks like data', async () => {
  for (const command of ['report nowhere', 'list --models nothing', 'diff r1', 'evidence r1 nothing', 'run --only x']) {
    const { code, stdout, stderr } = await chatspec([...command.split(' '), '--json'], { cwd });
    expect({ command, code, stdout }).toEqual({ command, code: 2, stdout: '' });
    expect(stderr).toContain('error');
  }
});
