import { execFileSync, spawn } from 'node:child_process';
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { ended, project, simulate, type Project } from './program.js';

/** `chatspec judge`: what goes in, what comes out, and that nothing ends it but the end of its input. */

const schema = {
  type: 'object',
  properties: { total: { type: 'integer' } },
  required: ['total'],
  additionalProperties: false,
};
const request = {
  model: 'm',
  messages: [{ role: 'user', content: 'The total, as JSON.' }],
  response_format: { type: 'json_schema', json_schema: { name: 'total', strict: true, schema } },
};
const completion = (content: string, more: object = {}) => ({
  ...{ id: 'c-1', object: 'chat.completion', created: 1, model: 'm' },
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop', ...more }],
  usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
});
const [good, bad] = [completion('{"total":897}'), completion('{"total":"897"}')];
const chunk = (delta: object, finish_reason: string | null = null) => ({
  ...{ id: 'c-1', object: 'chat.completion.chunk', created: 1, model: 'm' },
  choices: [{ index: 0, delta, finish_reason }],
});
const streamed = { ...request, stream: true };
const chunks = [chunk({ role: 'assistant', content: '{"total"' }), chunk({ content: ':897}' }), chunk({}, 'stop')];

interface Line {
  readonly line: number;
  readonly id: string | null;
  readonly passed?: boolean;
  readonly class?: string | null;
  readonly reason?: string | null;
  readonly rung?: string | null;
  readonly value?: unknown;
  readonly quirks?: readonly string[];
  readonly problem?: { readonly code: string };
  readonly skipped?: string;
}

let work: Project;
beforeAll(async () => {
  const files = { 'request.json': JSON.stringify(request, null, 2), 'streamed.json': JSON.stringify(streamed) };
  work = await project(files);
});

async function judged(
  input: string,
  args = 'judge',
): Promise<{ readonly code: number | null; readonly lines: Line[] }> {
  const { code, stdout, stderr } = await work.chatspec(args, {}, input);
  expect(stderr).not.toMatch(/\n {4}at |bug in chatspec/);
  const lines = stdout.split('\n').filter((line) => line !== '');
  return { code, lines: lines.map((line) => JSON.parse(line) as Line) };
}

test('a line for each pair, with everything that the judge knows', async () => {
  const pairs = [
    { request, answer: { status: 200, headers: { 'content-type': 'application/json' }, body: good } },
    { request, answer: bad },
    { request: streamed, answer: { chunks } },
  ];
  const input = pairs.map((pair, id) => `${JSON.stringify({ id, ...pair })}\r\n`).join('\n');
  const { code, lines } = await judged(input);
  expect(code).toBe(1);
  expect(lines[0]).toEqual({
    ...{ line: 1, id: '0', passed: true, fault: false, class: null, reason: null, status: 200, rung: 'correct' },
    ...{ detail: null, value: { total: 897 }, violations: [], quirks: [], advice: expect.any(String) as string },
    retry: { step: 'none', again: false, after_seconds: null, changes: {}, other_forms: [] },
  });
  expect(lines[1]).toMatchObject({
    ...{ line: 3, id: '1', passed: false, class: 'schema_violation', rung: 'parses', value: { total: '897' } },
    ...{ violations: [{ at: '/total' }], retry: { step: 'lower_temperature', again: true } },
  });
  expect(lines[2]).toMatchObject({ line: 5, id: '2', passed: true, value: { total: 897 } });
  expect((await judged(input.split('\n')[0] ?? '')).code).toBe(0);
});

test('each line is answered before the next one is written', async () => {
  const child = work.start(['judge'], {}, 'pipe');
  const answers = createInterface({ input: child.stdout ?? process.stdin })[Symbol.asyncIterator]();
  const end = ended(child);
  for (const answer of [good, bad, '{', good]) {
    child.stdin?.write(`${typeof answer === 'string' ? answer : JSON.stringify({ request, answer })}\n`);
    const next = (await answers.next()) as { readonly value: string };
    const said = JSON.parse(next.value) as Line;
    expect(said.problem?.code ?? said.class).toBe(
      answer === good ? null : answer === bad ? 'schema_violation' : 'not_json',
    );
  }
  child.stdin?.end();
  expect((await end).code).toBe(2);
});

describe('the forms of logs', () => {
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'm',
    'gen_ai.output.type': 'json',
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: 'As json.' }] }]),
    'gen_ai.output.messages': JSON.stringify([
      { role: 'assistant', parts: [{ type: 'text', content: '{"total":897}' }], finish_reason: 'stop' },
    ]),
  };
  const otlp = (of: object, spanId: string) => ({
    spanId,
    attributes: Object.entries(of).map(([key, value]: [string, unknown]) => {
      const values = Array.isArray(value) ? value.map((one: unknown) => ({ stringValue: one })) : [];
      return { key, value: Array.isArray(value) ? { arrayValue: { values } } : { stringValue: value } };
    }),
  });
  const batch = { custom_id: 'b-1', response: { status_code: 200, request_id: 'r', body: bad }, error: null };
  const asked = { custom_id: 'b-1', method: 'POST', url: '/v1/chat/completions', body: request };
  const { model, messages, ...settings } = request;
  const litellm = { id: 'l-1', call_type: 'acompletion', status: 'success', model, messages, response: bad };
  const failure = (error_code: string, error_class: string, error_message: string) => ({
    ...{ ...litellm, status: 'failure', response: {}, model_parameters: settings },
    error_information: { error_code, error_class, error_message },
  });

  const forms: readonly (readonly [string, unknown, object])[] = [
    ['a response by that name', { request, response: bad }, { class: 'schema_violation' }],
    ['an answer as text', { request: JSON.stringify(request), response: JSON.stringify(good) }, { class: null }],
    [
      'the pieces of a stream',
      { request: streamed, answer: { status: 200, chunks: ['data: {"choi', 'ces":[]}\n\n'] } },
      {},
    ],
    [
      'chunks as texts',
      { request: streamed, answer: { chunks: [...chunks.map((c) => JSON.stringify(c)), '[DONE]'] } },
      { class: null },
    ],
    ['no answer', { request, error: 'Request timed out.' }, { class: 'transport', fault: true }],
    ['a status as text', { request, answer: { status: '401', body: '' } }, { class: 'http_error', reason: 'auth' }],
    ['the least status', { request, answer: { status: 100, body: '' } }, { passed: false, status: 100 }],
    ['the greatest', { request, answer: { status: 599, body: '' } }, { class: 'http_error', status: 599 }],
    ['one record of a batch', { ...asked, ...batch }, { class: 'schema_violation', id: 'b-1' }],
    ['a batch that failed', { ...asked, response: null, error: { code: 'batch_expired' } }, { class: 'transport' }],
    [
      'a conversation',
      { messages: [...messages, { role: 'assistant', content: '{"total":1.5}' }], ...settings },
      {
        ...{ class: 'schema_violation', quirks: [] },
      },
    ],
    [
      'LiteLLM',
      { ...litellm, model_parameters: { ...settings, stream: true } },
      { class: 'schema_violation', id: 'l-1' },
    ],
    [
      'a callback of LiteLLM',
      { kwargs: { standard_logging_object: { ...litellm, model_parameters: settings } } },
      { id: 'l-1' },
    ],
    ['a failure of LiteLLM', failure('429', 'RateLimitError', 'You exceeded your current quota'), { reason: 'quota' }],
    ['a failure without an answer', failure('408', 'Timeout', 'litellm.Timeout: 600 s'), { class: 'transport' }],
    ['attributes alone', attributes, { class: null, value: { total: 897 }, quirks: [] }],
    ['a span', { name: 'chat m', context: { span_id: '0x1' }, attributes }, { class: null, id: '0x1' }],
    [
      'an error of a span',
      { attributes: { ...attributes, 'gen_ai.output.messages': '[]', 'error.type': '503' } },
      {
        ...{ class: 'http_error', status: 503 },
      },
    ],
    [
      'a span without contents',
      { attributes: { 'gen_ai.request.model': 'm' } },
      { problem: { code: 'answer_missing' } },
    ],
    ['another span', { attributes: { 'gen_ai.operation.name': 'embeddings' } }, { skipped: 'other' }],
    ['another call of LiteLLM', { ...litellm, call_type: 'aembedding' }, { skipped: 'other' }],
  ];
  let lines: readonly Line[];
  beforeAll(async () => {
    ({ lines } = await judged(forms.map(([, record]) => JSON.stringify(record)).join('\n')));
  });

  test.each(forms.map(([what, , expected], index) => [what, index, expected] as const))(
    '%s',
    (_what, index, expected) => {
      expect(lines[index]).toMatchObject({ line: index + 1, ...expected });
    },
  );

  test('an export of several spans is a line for each', async () => {
    const call = { type: 'tool_call', id: 'x', name: 'pay', arguments: { total: 1 } };
    const calling = JSON.stringify([{ role: 'assistant', parts: [call], finish_reason: 'tool_call' }]);
    const spans = [
      otlp(attributes, 'a'),
      otlp({ 'gen_ai.operation.name': 'execute_tool' }, 'b'),
      otlp({ 'gen_ai.operation.name': 'chat', 'gen_ai.output.messages': calling }, 'c'),
    ];
    const { code, lines } = await judged(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }));
    expect(lines.map(({ line, id, skipped = null, value = null }) => ({ line, id, skipped, value }))).toEqual([
      { line: 1, id: 'a', skipped: null, value: { total: 897 } },
      { line: 1, id: 'b', skipped: 'other', value: null },
      { line: 1, id: 'c', skipped: null, value: { total: 1 } },
    ]);
    expect(code).toBe(0);
  });

  test('the two files of a batch, one after the other or by --request', async () => {
    const [input, output] = [JSON.stringify(asked), JSON.stringify(batch)];
    const together = await judged(`${input}\n${output}\n`);
    expect(together.lines.map((said) => said.skipped ?? said.class)).toEqual(['request', 'schema_violation']);
    await work.write({ 'input.jsonl': `${input}\n`, 'output.jsonl': `${output}\n` });
    const { code, stdout } = await work.chatspec('judge --request input.jsonl output.jsonl');
    expect([code, (JSON.parse(stdout) as Line).class]).toEqual([1, 'schema_violation']);
    expect((await judged(output)).lines[0]?.problem?.code).toBe('request_missing');
  });

  test('a file may be indented, and hold a list', async () => {
    const pairs = [
      { request, answer: good },
      { request, answer: bad },
    ];
    const indented = pairs.map((pair) => JSON.stringify(pair, null, 4)).join('\n');
    await work.write({ 'two.json': indented, 'list.json': JSON.stringify(pairs, null, 2) });
    for (const file of ['two.json', 'list.json']) {
      const { code, stdout } = await work.chatspec(['judge', file]);
      const classes = stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as Line).class);
      expect([code, ...classes]).toEqual([1, null, 'schema_violation']);
    }
  });
});

test('expect and its rules, and integers of any length', async () => {
  const whole = { properties: { total: { type: 'integer' } } };
  const free = { ...request, response_format: { type: 'json_object' } };
  const answer = completion('{"total":12345678901234567890}');
  const input = (assert: string): string =>
    JSON.stringify({ request: free, answer, expect: { schema: whole, rules: [{ id: 'sum', assert }] } });
  const { stdout } = await work.chatspec('judge', {}, `${input('value.total = 12345678901234567890')}\n`);
  expect(stdout).toContain('"value":{"total":12345678901234567890}');
  expect(JSON.parse(stdout)).toMatchObject({ passed: true, class: null });
  expect((await judged(input('value.total = 12345678901234567891'))).lines[0]?.class).toBe('rule_violation');
  const unusable = [{ contents: 'json' }, { rules: [{}] }, [], { schema: { type: 'text' } }];
  const { lines } = await judged(
    unusable.map((expected) => JSON.stringify({ request, answer, expect: expected })).join('\n'),
  );
  expect(lines.map(({ problem }) => problem?.code)).toEqual(unusable.map(() => 'expect_unusable'));
});

describe('--request', () => {
  const stream = `${chunks.map((part) => `data: ${JSON.stringify(part)}\n\n`).join('')}data: [DONE]\n\n`;
  const head =
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 429 Too Many\r\nRetry-After: 7\r\nContent-Type: application/json\r\n\r\n';
  test.each<readonly [string, string, readonly object[]]>([
    ['a completion', JSON.stringify(good, null, 2), [{ class: null }]],
    ['a stream', stream, [{ class: null, value: { total: 897 } }]],
    ['a page', '<html><title>Bad</title></html>', [{ class: 'malformed_response' }]],
    ['what curl -i prints', `${head}{"error":{"message":"slow down"}}`, [{ status: 429, retry: { after_seconds: 7 } }]],
    ['chunks, one a line', chunks.map((part) => JSON.stringify(part)).join('\n'), [{ class: null }]],
    [
      'several answers',
      `${JSON.stringify(good)}\n${JSON.stringify(bad)}`,
      [{ class: null }, { class: 'schema_violation' }],
    ],
    ['an answer with its status', JSON.stringify({ status: 500, body: 'oops' }), [{ class: 'http_error' }]],
  ])('judges %s', async (_what, text, expected) => {
    const file = text.includes('chunk') ? 'streamed.json' : 'request.json';
    const { lines } = await judged(text, `judge --request ${file}`);
    expect(lines).toHaveLength(expected.length);
    expect(lines).toMatchObject(expected);
  });

  test('a request or a file that is not there is a mistake in usage', async () => {
    await work.write({ 'none.json': '[]' });
    for (const args of [
      'judge --request none.json',
      'judge --request gone.json',
      'judge gone.jsonl',
      'judge .',
      'judge',
    ]) {
      const { code, stdout, stderr } = await work.chatspec(args, {}, '');
      expect([args, code, stdout]).toEqual([args, 2, '']);
      expect(stderr).toContain('error');
    }
  });
});

describe('nothing that comes in ends it', () => {
  const deep = `${'['.repeat(9000)}${']'.repeat(9000)}`;
  const slow = {
    ...request,
    response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { pattern: '^(a+)+$' } } },
  };
  const records: readonly (readonly [string, RegExp])[] = [
    ...['{', '\u0000', '{"a":1}{"b":2}', deep, `{"request":${deep}}`].map((text) => [text, /^not_json$/] as const),
    ...['null', '42', '"x"', '[]', '[[]]', '{}', '{"__proto__":{"request":1}}'].map(
      (text) => [text, /^unknown_form$/] as const,
    ),
    ...['{"answer":{}}', '{"request":7,"answer":{}}', '{"custom_id":"z","response":{"body":{}}}'].map(
      (text) => [text, /^request_missing$/] as const,
    ),
    ...['999', '600', '99', '-1', '1.5', '"x"', 'true', '{}'].map(
      (status) => [`{"request":{"messages":[]},"answer":{"status":${status}}}`, /^answer_unreadable$/] as const,
    ),
    ...['5', 'true'].map(
      (answer) => [`{"request":{"messages":[]},"answer":${answer}}`, /^answer_unreadable$/] as const,
    ),
    ...['{"stack":"x","message":"y"}', '{"status":200,"headers":[["a"]],"body":[1,null]}', '{"choices":[null]}'].map(
      (answer) => [`{"request":{"messages":[]},"answer":${answer}}`, /^(?:malformed_response|transport)$/] as const,
    ),
    [JSON.stringify({ request: slow, answer: completion(`"${'a'.repeat(40)}b"`) }), /^null$/],
    [
      '{"resourceSpans":[null,{"scopeSpans":[{"spans":[null,{"attributes":[null,{"key":"gen_ai.x"}]}]}]}]}',
      /^answer_missing$/,
    ],
    ['{"call_type":5,"response":5}', /^answer_unreadable$/],
  ];

  test('each line gets its line', async () => {
    const { code, lines } = await judged(records.map(([text]) => text).join('\n'));
    expect(code).toBe(2);
    expect(lines.map(({ line }) => line)).toEqual(records.map((_, index) => index + 1));
    for (const [index, said] of lines.entries()) {
      expect(String(said.problem?.code ?? said.class), records[index]?.[0].slice(0, 80)).toMatch(
        records[index]?.[1] ?? /x/,
      );
    }
  });

  test('no key and no command to a build machine comes out', async () => {
    const body = { error: { message: 'Incorrect API key provided: sk-abcdef1234567890' } };
    const input = [
      { request, answer: { status: 401, body } },
      { request, answer: completion('::set-output name=x::y') },
    ];
    const text = `${input.map((pair) => JSON.stringify(pair)).join('\n')}\n`;
    const { stdout } = await work.chatspec('judge', {}, text);
    expect(stdout).not.toContain('sk-abcdef1234567890');
    expect(stdout).not.toContain('::set-output');
  });
});

test('the journal of a run goes in as it is', async () => {
  const own = await project({
    'chatspec.yaml': 'targets: { demo: { base_url: simulator, models: [sim-reference] } }\n',
  });
  await own.chatspec('run --tags smoke --quiet');
  const { code, stdout, stderr } = await own.chatspec('judge reports/latest/journal.jsonl');
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  expect([code, stderr]).toEqual([0, '']);
  expect(lines.filter(({ passed }) => passed === true).length).toBeGreaterThan(5);
});

describe('the programs in the documentation', () => {
  const page = fileURLToPath(new URL('../../docs/judge-command.md', import.meta.url));
  const has = (program: string): boolean => {
    try {
      execFileSync(program, [program === 'go' ? 'version' : '--version'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };
  let service: Awaited<ReturnType<typeof simulate>>;
  let code: Readonly<Record<string, string>>;
  beforeAll(async () => {
    service = await simulate(work, 'profiles:\n  - { id: mine, extends: sim-reference }\n');
    const blocks = (await readFile(page, 'utf8')).matchAll(/^```(\w+)\n(.*?)^```$/gms);
    code = Object.fromEntries([...blocks].map(([, language = '', text = '']) => [language, text]));
    const main = process.env['CHATSPEC_DIST'] ?? fileURLToPath(new URL('../../dist', import.meta.url));
    await work.write({
      'bin/chatspec': `#!/bin/sh\nexec ${process.execPath} ${join(main, 'cli', 'main.js')} "$@"\n`,
      'ask.py': code['python'] ?? '',
      'ask.sh': code['bash'] ?? '',
      'go/judge.go': code['go'] ?? '',
      'request.json': JSON.stringify({ ...request, model: 'sim-reference' }),
      'pair.json': JSON.stringify({ request, answer: bad }),
    });
    await chmod(join(work.folder, 'bin', 'chatspec'), 0o755);
  });

  async function output(program: string, args: readonly string[]): Promise<string> {
    const path = `${join(work.folder, 'bin')}:${process.env['PATH'] ?? ''}`;
    const env = { ...process.env, PATH: path, CHAT_BASE_URL: service.base_url, API_KEY: 'sk-x', GOFLAGS: '-mod=mod' };
    const { code: exit, stdout, stderr } = await ended(spawn(program, args, { cwd: work.folder, env }));
    expect([exit, stderr]).toEqual([0, '']);
    return stdout;
  }

  test.skipIf(!has('python3'))('Python', async () => {
    expect(await output('python3', ['ask.py'])).toMatch(/^passed \{'total': \d+\} /);
  });

  test.skipIf(!has('curl'))('a shell', async () => {
    expect(JSON.parse(await output('sh', ['ask.sh']))).toMatchObject({ passed: true, status: 200 });
  });

  // The first time, it compiles Go's own library.
  test.skipIf(!has('go'))('Go', { timeout: 120_000 }, async () => {
    expect(await output('go', ['run', 'go/judge.go', 'pair.json'])).toMatch(
      /^false schema_violation \{"total":"897"\} /,
    );
  });
});
