import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import * as facts from './facts.js';
import { ended, project, simulate, type Project } from './program.js';

/**
 * The verbs that no other file here is about: their exit codes, the facts of their JSON, and the files that they write.
 */

const suite = `suite: part
defaults: { request: { max_tokens: 512 } }
probes:
  plain: { capability: chat, request: { messages: [{ role: user, content: Say hello. }] } }
  task:
    capability: json_object
    request: { messages: [{ role: user, content: Return a JSON object. }], response_format: { type: json_object } }
`;
const schema = {
  ...{ type: 'object', required: ['item'], additionalProperties: false },
  properties: { item: { type: 'string' } },
};
/** Sends one request, and a second one with the arguments that it is given. */
const client = `const send = async (more) => {
  const answer = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer ' + process.env.OPENAI_API_KEY },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'my own prompt' }], ...more }),
  });
  console.log((await answer.json()).choices[0].message.content);
};
await send({ max_tokens: 64, ...JSON.parse(process.argv[2] ?? '{}') });
if (process.argv[3]) await send(JSON.parse(process.argv[3]));
`;

let work: Project;
const run = (args: string | readonly string[]) => work.chatspec(args, { PATH: process.env['PATH'] ?? '' });
const json = async <T>(args: string, code = 0): Promise<T> => {
  const result = await run([...args.split(' '), '--json']);
  expect(result.code, result.stderr).toBe(code);
  return JSON.parse(result.stdout) as T;
};

beforeAll(async () => {
  work = await project({
    'chatspec.yaml': `targets:
  demo:
    base_url: simulator
    models: [{ id: sim-reference, as: best, price: { prompt: 1, completion: 2 } }, sim-schema-only]
suites: [part.yaml]
`,
    'part.yaml': suite,
    'item.json': JSON.stringify(schema),
    'client.mjs': client,
  });
  expect((await run('run --trials 2')).code).toBe(1);
});

interface Otlp {
  readonly resourceSpans: readonly [{ readonly scopeSpans: readonly [{ readonly spans: readonly OtlpSpan[] }] }];
}
type OtlpSpan = Readonly<Record<'traceId' | 'spanId', string> & Partial<Record<'parentSpanId', string>>>;

describe('report', () => {
  test('renders every format again', async () => {
    const formats = 'html,json,md,junit,ctrf,openmetrics,otel,issue';
    expect((await run(`report reports/latest --format ${formats} --out again`)).code).toBe(0);
    const names = ['index.html', 'report.json', 'report.md', 'junit.xml', 'ctrf.json', 'openmetrics.txt'];
    expect(await readdir(join(work.folder, 'again'))).toEqual(expect.arrayContaining(names));
    const times = async (file: string) => (await work.read(file)).match(/(?<=<testcase [^>]*)time="\d+\.\d{3}"/g);
    expect(await times('again/junit.xml')).toHaveLength(4);
    expect(await times('again/junit.xml')).toEqual(await times('reports/latest/junit.xml'));
    expect(await work.json('again/report.json')).toEqual(await work.json('reports/latest/report.json'));
  });

  test('counts cells in CTRF as they were judged', async () => {
    const { results } = await work.json<{
      results: { summary: object; tests: { status: string; duration: number }[] };
    }>('again/ctrf.json');
    expect(results.summary).toMatchObject({ tests: 4, passed: 3, failed: 1, skipped: 0, pending: 0, other: 0 });
    expect(Math.min(...results.tests.map(({ duration }) => duration))).toBeGreaterThan(0);
    expect(results.tests.map(({ status }) => status).sort()).toEqual(['failed', 'passed', 'passed', 'passed']);
  });

  test('ends OpenMetrics as its standard says, with a line a metric', async () => {
    const text = await work.read('again/openmetrics.txt');
    expect(text.endsWith('# EOF\n')).toBe(true);
    for (const line of text.trimEnd().split('\n')) expect(line).toMatch(/^(# |\w+(\{.*\})? [-+\d.eE]+$)/);
  });

  test('writes a trace for each cell in OTLP/JSON, with the ids that were sent to the service', async () => {
    const journal = (await work.read('reports/latest/journal.jsonl')).trim().split('\n');
    const sent = journal.flatMap((line) => /"traceparent":"00-(\w{32}-\w{16})-01"/.exec(line)?.[1] ?? []);
    const { resourceSpans } = await work.json<Otlp>('again/otel.json');
    const spans = resourceSpans[0].scopeSpans[0].spans;
    const requests = spans.filter(({ parentSpanId }) => parentSpanId !== undefined);
    expect(sent).toEqual(expect.arrayContaining(requests.map(({ traceId, spanId }) => `${traceId}-${spanId}`)));
    expect(new Set(requests.map(({ spanId }) => spanId)).size).toBe(8);
    const cells = spans.filter(({ parentSpanId }) => parentSpanId === undefined);
    expect(new Set(cells.map(({ traceId, spanId }) => `${traceId} ${spanId}`))).toEqual(
      new Set(requests.map(({ traceId, parentSpanId }) => `${traceId} ${parentSpanId}`)),
    );
  });

  test('makes a site of several runs', async () => {
    expect((await run('report reports/latest --site site')).code).toBe(0);
    expect(await work.read('site/index.html')).toContain('demo/sim-schema-only');
  });

  test.each(['report nothing', 'report reports/latest --format pdf'])('%s is a mistake in usage', async (line) => {
    expect((await run(line)).code).toBe(2);
  });
});

test('prices give the cost of a run, and a common name stands beside the id', async () => {
  const { run: facts, models } = await work.json<facts.Report>('reports/latest/report.json');
  expect(facts.cost).toBeGreaterThan(0);
  expect(models.map(({ id, as }) => [id, as])).toEqual([
    ['demo/sim-reference', 'best'],
    ['demo/sim-schema-only', null],
  ]);
});

describe('doctor', () => {
  interface Diagnosis {
    readonly model: string;
    readonly content: string;
    readonly addresses: { readonly base_url: string; readonly endpoint: string; readonly messages_style: string };
  }

  test('tells of each model what the service says, and the addresses for other tools', async () => {
    const models = await json<Diagnosis[]>('doctor');
    expect(models.map(({ model }) => model)).toEqual(['sim-reference', 'sim-schema-only']);
    for (const one of models) {
      expect(one).toMatchObject({
        ok: true,
        status: 200,
        finish_reason: 'stop',
        usage: { total_tokens: expect.any(Number) as number },
      });
      expect(one).toMatchObject({
        id: expect.stringMatching(/./) as string,
        traceresponse: expect.stringMatching(/^00-/) as string,
      });
      expect(one.content).not.toBe('');
      const { base_url, endpoint, messages_style } = one.addresses;
      expect([endpoint, `${messages_style}/v1`]).toEqual([`${base_url}/chat/completions`, base_url]);
    }
    expect(await json<Diagnosis[]>('doctor --model sim-schema-only')).toHaveLength(1);
    expect((await run('doctor --model other')).code).toBe(2);
  });
});

describe('check', () => {
  interface Checked {
    readonly recommended: { readonly form: string; readonly max_tokens: number } | null;
    readonly forms: readonly { readonly form: string; readonly verdict: string; readonly class: string | null }[];
  }
  const check = (model: string, ...more: readonly string[]) =>
    run(['check', '--model', model, '--schema', 'item.json', '--prompt', 'Order a lamp, as json.', '--json', ...more]);

  test.each([
    ['sim-reference', 0],
    ['sim-schema-only', 0],
  ])('of %s ends with %i, and names the forms', async (model, code) => {
    const { code: given, stdout } = await check(model, '--trials', '2', '--max-tokens', '1024');
    expect(given).toBe(code);
    const { recommended, forms } = JSON.parse(stdout) as Checked;
    expect(recommended).toMatchObject({ form: 'json_schema', max_tokens: 1024 });
    const rows = new Map(forms.map(({ form, verdict, class: failure }) => [form, [form, verdict, failure]]));
    await expect(facts.table(['form', 'verdict', 'class'], [...rows.values()].sort())).toMatchFileSnapshot(
      `goldens/verbs/check-${model}.txt`,
    );
  });

  test('ends with 1 where no form can be relied on, and with 2 where the schema or the model is not there', async () => {
    const base = ['check', '--base-url', 'simulator', '--model', 'sim-always-truncated', '--prompt', 'Order, as json.'];
    expect((await run([...base, '--schema', 'item.json', '--trials', '2', '--max-tokens', '1024'])).code).toBe(1);
    expect((await run([...base, '--schema', 'none.json'])).code).toBe(2);
    expect((await check('other')).code).toBe(2);
  });
});

describe('evidence', () => {
  interface Shown {
    readonly exchanges: readonly Readonly<Record<string, unknown>>[];
  }
  const failing = 'part/task@demo/sim-schema-only';

  test('of a cell has every field that support asks for, with request and response', async () => {
    const shown = await json<Shown | Shown[]>(`evidence reports/latest ${failing}`);
    const { exchanges } = Array.isArray(shown) ? shown[0]! : shown;
    expect(exchanges.length).toBeGreaterThanOrEqual(2);
    const asked = [
      ...[
        'model',
        'request_path',
        'request_time',
        'schema_version',
        'http_status',
        'traceresponse',
        'id',
        'request_id',
      ],
      ...['finish_reason', 'usage', 'stream', 'thinking', 'reasoning_effort', 'max_tokens', 'temperature', 'request'],
      ...['validation_errors', 'response', 'exchange'],
    ];
    for (const exchange of exchanges) expect(Object.keys(exchange)).toEqual(expect.arrayContaining(asked));
    expect(exchanges[0]).toMatchObject({ model: 'sim-schema-only', http_status: 400, max_tokens: 512, stream: false });
    expect(exchanges[0]).toMatchObject({ request: { response_format: { type: 'json_object' } } });
  });

  test('takes patterns and the id of an exchange', async () => {
    const { cells } = await work.json<facts.Report>('reports/latest/report.json');
    const id = cells.find(({ key }) => key === failing)!.exchanges[0]!;
    for (const what of ['part/*', id]) {
      const { code, stdout } = await run(`evidence reports/latest ${what} --json`);
      expect(code).toBe(0);
      expect(stdout).toContain(`"exchange": "${id}"`);
    }
    for (const what of ['part/none', 'nothing part/task']) expect((await run(`evidence ${what}`)).code).toBe(2);
  });
});

test('capabilities export prints the map of the run', async () => {
  interface Map {
    readonly needs: readonly Readonly<Record<string, unknown>>[];
  }
  const { code, stdout } = await run('capabilities export reports/latest');
  expect(code).toBe(0);
  const needs = ({ needs: all }: Map) =>
    all.map(({ model, need, form, supported, condition, settings }) => [
      model,
      need,
      form,
      supported,
      condition,
      settings,
    ]);
  expect(needs(JSON.parse(stdout) as Map)).toEqual(needs(await work.json<Map>('reports/latest/capabilities.json')));
  expect((await run('capabilities export nothing')).code).toBe(2);
});

test('run --last-failed asks only what was left open, and nothing where nothing was', async () => {
  expect((await run('run --last-failed --out again-failed')).code).toBe(1);
  const { cells } = await work.json<facts.Report>('again-failed/report.json');
  expect(cells.map(({ key }) => key)).toEqual(['part/task@demo/sim-schema-only']);
  expect((await run('run --last-failed again-failed --models sim-reference --out none')).code).toBe(0);
});

test('prune thins all but the newest runs and the newest red one, keeping their reports', async () => {
  for (const trials of [1, 2]) await run(`run --trials ${trials} --models sim-reference`);
  const runs = (await readdir(join(work.folder, 'reports/runs'))).sort();
  const journals = async () => {
    const names = await Promise.all(runs.map((name) => readdir(join(work.folder, 'reports/runs', name))));
    expect(names.every((files) => files.includes('report.json'))).toBe(true);
    return names.map((files) => files.some((file) => file.startsWith('journal.jsonl')));
  };
  expect(runs.length).toBe(3);
  await json('prune --keep 1 --dry-run');
  expect(await journals()).toEqual([true, true, true]);
  await json('prune --keep 1');
  // The first run deviates: it asked a model that fails.
  expect(await journals()).toEqual([true, false, true]);
  expect((await run('prune')).code).toBe(2);
});

describe('init', () => {
  test('writes what validate accepts, and writes nothing over', async () => {
    const fresh = await project({ 'chatspec.yaml': 'targets: {}\n' });
    expect((await fresh.chatspec('init')).code).toBe(0);
    expect(await fresh.read('chatspec.yaml')).toBe('targets: {}\n');
    const empty = await project({});
    const { code, stdout } = await empty.chatspec('init --json');
    expect(code).toBe(0);
    const { created } = JSON.parse(stdout) as { created: string[] };
    for (const file of created) expect((await empty.read(file)).length).toBeGreaterThan(0);
    expect(created).toContain('chatspec.yaml');
    expect(created.some((file) => file.startsWith('.github/workflows/'))).toBe(true);
    expect((await empty.chatspec('validate')).code).toBe(0);
    expect((await empty.chatspec('run --tags smoke --fail-on never')).code).toBe(0);
    expect(JSON.parse((await empty.chatspec('init --json')).stdout)).toMatchObject({ created: [] });
  });
});

describe('completion', () => {
  test.each(['bash', 'zsh', 'fish'])('prints a script for %s', async (shell) => {
    const { code, stdout } = await run(`completion ${shell}`);
    expect(code).toBe(0);
    expect(stdout).toContain('chatspec');
  });

  test('knows no other shell', async () => {
    expect((await run('completion csh')).code).toBe(2);
  });
});

describe('shapes', () => {
  const shapes = (action: string, ...args: readonly string[]) =>
    run(['shapes', ...action.split(' '), '--', 'node', 'client.mjs', ...args]);

  test('records the shape of requests, without what differs from run to run', async () => {
    expect((await shapes('record')).code).toBe(0);
    const lock = await work.read('shapes.lock.yaml');
    for (const part of ['POST', '/chat/completions', 'max_tokens: integer', 'model: string'])
      expect(lock).toContain(part);
    expect(lock).not.toMatch(/my own prompt|127\.0\.0\.1|localhost|20\d\d-/);
    expect((await shapes('record')).code).toBe(0);
    expect(await work.read('shapes.lock.yaml')).toBe(lock);
  });

  test.each([
    ['the same', [], 0, []],
    ['a changed one', ['{"seed":1}'], 1, ['changed']],
    ['one more', ['{}', '{"stream":false,"response_format":{"type":"json_object"}}'], 1, ['appeared']],
  ] as const)('check of %s', async (_, args, code, kinds) => {
    const { code: given, stdout } = await shapes('check --json', ...args);
    expect(given).toBe(code);
    const { changes } = JSON.parse(stdout) as { changes: { kind: string }[] };
    expect(changes.map(({ kind }) => kind)).toEqual(kinds);
  });

  test('a schema has the version that logs give it', async () => {
    const format = { type: 'json_schema', json_schema: { name: 'item', strict: true, schema } };
    await shapes('record --lock with-schema.yaml', JSON.stringify({ response_format: format }));
    expect(await work.read('with-schema.yaml')).toMatch(/sha256:[\da-f]{64}/);
  });
});

describe('clients try', () => {
  test('says of each quirk and class what becomes of the program', async () => {
    const { code, stdout } = await run(
      'clients try --json --quirks id_missing,http_error,done_missing -- node client.mjs',
    );
    expect(code).toBe(0);
    const { tried } = JSON.parse(stdout) as { tried: { name: string; effect: string; model: string | null }[] };
    const rows = tried.map(({ name, effect }) => [name, effect]);
    await expect(facts.table(['name', 'effect'], rows.sort())).toMatchFileSnapshot('goldens/verbs/clients-try.txt');
  });
});

describe('simulate', () => {
  test('serves profiles until SIGTERM, and prints one line', async () => {
    const service = await simulate(work, 'profiles:\n  - { id: mine, extends: sim-reference }\n');
    expect(service.base_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    expect(service.models).toEqual(expect.arrayContaining(['mine', 'sim-reference', 'sim-object-500']));
    const answer = await fetch(`${service.base_url}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'mine', messages: [{ role: 'user', content: 'Say hello.' }] }),
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      object: 'chat.completion',
      model: 'mine',
      choices: [{ finish_reason: 'stop' }],
    });
    const { code, stdout } = await service.stop();
    expect([code, stdout.trimEnd().split('\n').length]).toEqual([0, 1]);
  });
});

test('help is no mistake, and an unknown verb or option is one', async () => {
  const codes = new Map<string, number | null>();
  for (const line of ['run --help', '--version', 'rum', 'run --config none.yaml'])
    codes.set(line, (await ended(work.start(line.split(' ')))).code);
  expect([...codes.values()]).toEqual([0, 0, 2, 2]);
});
