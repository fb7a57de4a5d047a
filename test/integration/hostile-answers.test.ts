import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatspec, type CliResult } from '../support/cli.js';
import { serveHttp, type Loopback } from '../support/loopback.js';
import { lastingFolder } from '../support/lasting-folder.js';

/** The files that a run writes unless it is told others, by name. */
const runFiles = [
  'capabilities.json',
  'failures.jsonl',
  'index.html',
  'journal.jsonl',
  'junit.xml',
  'report.json',
  'report.md',
  'summary.json',
];

/** Text that has an effect in a terminal, page, table, JUnit file or template that does not escape it. */
const poison = [
  '</script><script>alert(1)</script><img src=x onerror=alert(1)>',
  '\u001b]0;owned\u0007\u001b[2J\u001b[31mred \u0000\u0008\u009b31m\u202e\u061c\u{e0041}evil',
  '| a | b |\n|---|---|\n[click](javascript:alert(1)) ![pixel](http://evil.invalid/p.png) `',
  ']]> &xxe; <!DOCTYPE x> \uffff',
  '{{constructor}} {{#each this}}{{/each}} {{{steps.call.arguments}}} ${process.exit(1)}',
].join('\n');

/** The same for a suite, where two braces begin a template. */
const writtenPoison = poison.replace(/\{(?=\{)/g, '{ ');

const modelIds = ['../../../../etc/passwd', '<img/src=x/onerror=alert(1)>|`{{constructor}}'];

const answer = (content: unknown, more: object = {}) => ({
  id: `id-${poison}`,
  object: 'chat.completion',
  created: 1,
  model: poison,
  system_fingerprint: poison,
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content, ...more } }],
  usage: { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 },
});

/** The service's answer to each probe, by a word of its prompt. */
const answers: Readonly<Record<string, (body: string) => readonly [status: number, body: string]>> = {
  ping: () => [200, JSON.stringify(answer('pong'))],
  text: () => [200, JSON.stringify(answer(poison))],
  schema: () => [200, JSON.stringify(answer(JSON.stringify({ total: poison, [poison]: 1 })))],
  prototype: () => [
    200,
    `{"__proto__":{"polluted":1},"choices":[{"index":0,"finish_reason":"stop","__proto__":{"polluted":1},
      "message":{"role":"assistant","content":"{\\"total\\":1,\\"__proto__\\":{\\"polluted\\":1}}"}}]}`,
  ],
  refusal: () => [400, JSON.stringify({ error: { message: poison, type: poison, param: poison, code: poison } })],
  page: () => [500, `<html>${poison}</html>`],
  explode: (body) => [200, JSON.stringify(answer(`${'a'.repeat(lengthFor(body))}b`))],
  pattern: (body) => [200, JSON.stringify(answer(JSON.stringify({ total: `${'a'.repeat(lengthFor(body))}b` })))],
  call: () => {
    const call = {
      id: poison,
      type: 'function',
      function: { name: 'note', arguments: JSON.stringify({ text: poison }) },
    };
    return [200, JSON.stringify(answer(null, { tool_calls: [call] }))];
  },
  wrong: () => {
    const call = { id: 'c', type: 'function', function: { name: poison, arguments: poison } };
    return [200, JSON.stringify(answer(poison, { tool_calls: [call] }))];
  },
  summary: () => [200, JSON.stringify(answer('done'))],
};

/** Letters for a pattern that takes twice as long with each: only one model makes it take longer than it may. */
const lengthFor = (body: string): number => (body.includes(JSON.stringify(modelIds[0])) ? 60 : 4);

const says = (word: string) => [{ role: 'user', content: `json ${word}` }];
const format = (properties: object) => ({
  response_format: {
    type: 'json_schema',
    json_schema: {
      name: 'x',
      schema: { type: 'object', properties, required: ['total'], additionalProperties: false },
    },
  },
});
const note = {
  type: 'function',
  function: { name: 'note', parameters: { type: 'object', properties: { text: { type: 'string' } } } },
};
const rule = (assert: string) => ({ rules: [{ id: 'r', assert, message: writtenPoison }] });

const suite = {
  suite: 'hostile',
  title: writtenPoison,
  probes: {
    text: { request: { messages: says('text') }, expect: rule('value = "x"') },
    schema: { request: { messages: says('schema'), ...format({ total: { type: 'number' } }) } },
    prototype: { request: { messages: says('prototype'), ...format({ total: { type: 'number' } }) } },
    refusal: { request: { messages: says('refusal') } },
    page: { request: { messages: says('page') } },
    'rule-explodes': { request: { messages: says('explode') }, expect: rule('$contains(value, /^(a+)+$/)') },
    'rule-never-ends': {
      request: { messages: says('explode') },
      expect: rule('$length(value) < 9 ? value = "x" : ($f := function($x) { $f($x + 1) }; $f(1))'),
    },
    'pattern-explodes': {
      request: { messages: says('pattern'), ...format({ total: { type: 'string', pattern: '^(a+)+$' } }) },
    },
    wrong: { request: { messages: says('wrong'), tools: [note], tool_choice: 'required' } },
    flow: {
      steps: [
        { id: 'call', request: { messages: says('call'), tools: [note], tool_choice: 'required' } },
        { id: 'tool', run: { result: { said: '{{steps.call.arguments.text}}' } } },
        {
          id: 'summary',
          request: { messages: [{ role: 'user', content: 'json summary of {{json steps.tool.result}}' }] },
        },
      ],
    },
  },
  behaviours: [{ id: 'odd', title: 'Odd', when: `$contains("${'a'.repeat(60)}b", /^(a+)+$/)`, advice: 'None.' }],
};

let service: Loopback;
let folder: string;
let run: CliResult;
const summaries: string[] = [];

beforeAll(async () => {
  service = await serveHttp((_request, response, body) => {
    const { messages } = JSON.parse(body) as { messages: readonly { content: string }[] };
    const prompt = messages.at(-1)?.content ?? '';
    const word = /^json (\w+)/.exec(prompt)?.[1] ?? 'ping';
    if (word === 'summary') summaries.push(prompt);
    const [status, text] = (answers[word] ?? answers['ping']!)(body);
    response.writeHead(status, {
      'content-type': 'application/json',
      traceresponse: '00-<script>alert(1)</script>',
      'x-request-id': '../../x',
      'set-cookie': 'session=abc',
    });
    response.end(text);
  });
  folder = await lastingFolder();
  await writeFile(join(folder, 'suite.yaml'), JSON.stringify(suite));
  const limits = { concurrency: 4, retries: 0 };
  const target = { base_url: service.baseUrl, api_key_env: 'KEY', limits, models: modelIds };
  const config = { targets: { demo: target }, suites: ['suite.yaml'], out: 'out/run', redact: ['(x+x+)+y', 'owned'] };
  await writeFile(join(folder, 'chatspec.yaml'), JSON.stringify(config));
  run = await chatspec(['run', '--trials', '1', '--fail-on', 'never'], {
    cwd: folder,
    env: { KEY: 'sk-canary-123456' },
  });
});

afterAll(async () => {
  await service.close();
});

const file = (name: string) => readFile(join(folder, 'out', 'run', name), 'utf8');
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]/u;

describe('a service whose answers are hostile', () => {
  test('is judged to the end', async () => {
    expect(run.code, run.stderr).toBe(0);
    const report = JSON.parse(await file('report.json')) as {
      run: { complete: boolean };
      cells: readonly { model: string; probe: string; verdict: string; class: string | null; detail: string | null }[];
    };
    expect(report.run.complete).toBe(true);
    const seen = (probe: string) =>
      new Set(report.cells.filter((cell) => cell.probe === probe).map((cell) => cell.class));
    expect(Object.fromEntries(Object.keys(suite.probes).map((probe) => [probe, [...seen(probe)]]))).toEqual({
      text: ['rule_violation'],
      schema: ['schema_violation'],
      prototype: ['schema_violation'],
      refusal: ['http_error'],
      page: ['http_error'],
      'rule-explodes': ['rule_violation'],
      'rule-never-ends': ['rule_violation'],
      'pattern-explodes': [null, 'schema_violation'],
      wrong: ['wrong_function'],
      flow: [null],
    });
    const exploded = report.cells.filter(({ probe }) => probe === 'pattern-explodes');
    expect(exploded.map(({ verdict }) => verdict)).toEqual(['inconclusive', 'fail']);
    expect(exploded[0]?.detail).toMatch(/^the content could not be checked: a pattern of the schema takes too long/);
    const rules = report.cells.filter(({ probe }) => probe.startsWith('rule-'));
    const explodes = (model: string): boolean => model === `demo/${modelIds[0]}`;
    expect(rules.filter(({ model }) => explodes(model))).toHaveLength(2);
    expect(rules.map(({ verdict, detail }) => [verdict, /\(error: .+\)/.test(detail ?? '')])).toEqual(
      rules.map(({ model }) => ['fail', explodes(model)]),
    );
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('names no file: the run folder contains the usual files, and nothing is written beside it', async () => {
    const all = await readdir(folder, { recursive: true });
    const others = all.filter((name) => !/^(?:out|reports.latest)\b/.test(name));
    expect(others.sort()).toEqual(['chatspec.yaml', 'reports', 'suite.yaml']);
    expect(await readdir(join(folder, 'out'))).toEqual(['run']);
    expect((await readdir(join(folder, 'out', 'run'))).sort()).toEqual(runFiles);
  });

  test('gets no control character into the terminal or the logs', () => {
    expect(run.stdout + run.stderr).not.toMatch(controls);
  });

  test('leaves evidence and comparisons without effect', async () => {
    for (const args of [
      ['evidence', 'out/run', `hostile/text@demo/${modelIds[1]}`],
      ['diff', 'out/run', 'out/run'],
      ['evidence', 'out/run', `hostile/text@demo/${modelIds[1]}`, '--json'],
      ['diff', 'out/run', 'out/run', '--json'],
      ['report', 'out/run'],
      ['report', 'out/run', '--json'],
      ['doctor'],
      ['doctor', '--json'],
      ['list'],
    ]) {
      const { code, stdout, stderr } = await chatspec(args, { cwd: folder, env: { KEY: 'sk-canary-123456' } });
      expect(code, stderr).toBe(0);
      expect(stdout + stderr).not.toMatch(controls);
    }
  });

  test('is only text in the page, whose policy forbids foreign content', async () => {
    const html = await file('index.html');
    expect(html).toContain('Content-Security-Policy');
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toMatch(/<img|onerror=alert\(1\)>|href="javascript|<!DOCTYPE x>/i);
    expect(html).toContain('{{constructor}}');
    expect(html).not.toMatch(controls);
  });

  test('is only text in Markdown', async () => {
    const markdown = (await file('report.md')).replace(/\\./g, '').replace(/(`+)[^`][^]*?\1(?!`)/g, 'code');
    expect(markdown).not.toMatch(/<(?:script|img|!DOCTYPE)|(?<!\\)\]\((?:javascript|http:\/\/evil)/i);
    expect(markdown).not.toMatch(controls);
  });

  test('leaves junit.xml well-formed', async () => {
    const xml = await file('junit.xml');
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
    expect(xml).not.toContain('<script');
    expect(xml.replace(/<!\[CDATA\[[^]*?\]\]>/g, '')).not.toMatch(
      /\]\]>|&(?!(?:lt|gt|amp|quot|apos|#\d+|#x[\da-f]+);)/i,
    );
    expect(xml.match(/<testcase /g)).toHaveLength(modelIds.length * Object.keys(suite.probes).length);
  });

  test('passes through a flow literally, and never as a template', () => {
    expect(summaries).toHaveLength(modelIds.length);
    for (const prompt of summaries) expect(prompt).toBe(`json summary of ${JSON.stringify({ said: poison })}`);
  });

  test('leaves cookies and the key nowhere, and what `redact` names only in the journal', async () => {
    for (const name of await readdir(join(folder, 'out', 'run'))) {
      const text = await file(name);
      expect(text).not.toContain('sk-canary-123456');
      expect(text).not.toContain('session=abc');
      if (name !== 'journal.jsonl') expect(text, name).not.toContain('owned');
    }
  });
});
