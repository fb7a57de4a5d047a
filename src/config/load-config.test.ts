import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from './load-config.js';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'chatspec-config-'))));
afterAll(() => rm(folder, { recursive: true }));

async function load(text: string, env: Record<string, string> = {}) {
  const file = join(folder, 'chatspec.yaml');
  await writeFile(file, text);
  return loadConfig(file, env);
}

const target = (lines: string) => `targets:\n  demo:\n    base_url: simulator\n    models: [a]\n${lines}`;
const address = (url: string) => `targets:\n  demo:\n    base_url: ${url}\n    api_key_env: KEY\n    models: [a]\n`;
const models = (list: string) => `targets:\n  demo:\n    base_url: simulator\n    models: ${list}\n`;

describe('a config file', () => {
  test('fills in the defaults', async () => {
    const { config, problems } = await load('targets: { demo: { base_url: simulator, models: [sim-reference] } }');
    expect(problems).toEqual([]);
    expect(config).toMatchObject({
      targets: [
        {
          name: 'demo',
          baseUrl: 'simulator',
          apiKeyEnv: null,
          headers: {},
          limits: { concurrency: 4, requestsPerMinute: null, tokensPerMinute: null, timeoutSeconds: 60, retries: 3 },
          models: [{ key: 'demo/sim-reference', id: 'sim-reference', as: null, vars: {}, settings: {}, retired: null }],
        },
      ],
      suites: [{ pattern: 'builtin:core' }],
      baseline: null,
      out: join(folder, 'reports/runs/{stamp}'),
      budget: { requests: null, tokens: null, cost: null },
      maxUnmeasured: 0.1,
      redact: [],
    });
  });

  test('reads every field of the documented example', async () => {
    const { config, problems } = await load(`
targets:
  demo:
    base_url: https://service.example/v1/
    api_key_env: CHATSPEC_API_KEY
    headers: { x-team: eval, x-token: { env: TEAM_TOKEN } }
    limits: { concurrency: 8, requests_per_minute: 600, tokens_per_minute: 200000, timeout_s: 60, retries: 1 }
    settings: { thinking: { default: ~, enabled: { thinking: { type: enabled } }, disabled: { thinking: { type: disabled } } }, gone: { a: { top_k: 1 } } }
    models:
      - org/model-1
      - id: pro-sim-reference
        as: reference
        concurrency: 2
        price: { prompt: 0.5, completion: 1.5 }
        vars: { city: Ghent }
        request: { top_p: 1 }
        rename: { max_tokens: max_completion_tokens }
        settings: { thinking: { enabled: { chat_template_kwargs: { enable_thinking: true } } }, gone: ~ }
        control: { stream: true }
        retired: 2026-12-01
suites: ["builtin:core", "suites/*.yaml"]
baseline: baseline.yaml
out: out/{stamp}
budget: { requests: 5000, tokens: 2000000, cost: 10 }
max_unmeasured: 0.2
redact: ["[0-9]{11}"]
`);
    expect(problems).toEqual([]);
    const [demo] = config!.targets;
    expect(demo).toMatchObject({
      baseUrl: 'https://service.example/v1',
      apiKeyEnv: 'CHATSPEC_API_KEY',
      headers: { 'x-team': 'eval', 'x-token': { env: 'TEAM_TOKEN' } },
      limits: { concurrency: 8, requestsPerMinute: 600, tokensPerMinute: 200000, timeoutSeconds: 60, retries: 1 },
    });
    expect(demo!.models[0]).toMatchObject({ key: 'demo/org/model-1', place: { line: 10, column: 9 } });
    expect(demo!.models[1]).toMatchObject({
      as: 'reference',
      price: { prompt: 0.5, completion: 1.5 },
      rename: { max_tokens: 'max_completion_tokens' },
      control: { stream: true },
      retired: '2026-12-01',
    });
    // Merged label by label over those of the target; null removes an axis.
    expect(demo!.models[1]!.settings).toEqual({
      thinking: {
        default: null,
        enabled: { chat_template_kwargs: { enable_thinking: true } },
        disabled: { thinking: { type: 'disabled' } },
      },
    });
    expect(config).toMatchObject({
      suites: [{ pattern: 'builtin:core' }, { pattern: 'suites/*.yaml', place: { line: 21 } }],
      baseline: join(folder, 'baseline.yaml'),
      out: join(folder, 'out/{stamp}'),
      budget: { requests: 5000, tokens: 2000000, cost: 10 },
      maxUnmeasured: 0.2,
      redact: ['[0-9]{11}'],
    });
  });
});

describe('a broken config gives one clear error', () => {
  const cases: readonly (readonly [name: string, text: string, line: number, message: RegExp, hint?: RegExp])[] = [
    ['an empty file', '', 1, /empty/],
    ['a list', '- a\n', 1, /expected a mapping, found a list/],
    ['a text', 'hello\n', 1, /expected a mapping, found the text "hello"/],
    ['no targets', 'suites: [a.yaml]\n', 1, /"targets" is missing/],
    ['empty targets', 'targets: {}\n', 1, /must not be empty/],
    ['an unknown key at the top', `${target('')}sutes: [a]\n`, 5, /unknown key "sutes"/, /did you mean "suites"/],
    ['an unknown key in a target', target('    base_ulr: x\n'), 5, /unknown key "base_ulr"/, /did you mean "base_url"/],
    ['an unknown limit', target('    limits: { concurency: 3 }\n'), 5, /unknown key/, /"concurrency"/],
    ['no base_url', 'targets:\n  demo:\n    models: [a]\n', 2, /"base_url" is missing/],
    ['no models', 'targets:\n  demo:\n    base_url: simulator\n', 2, /"models" is missing/],
    ['an empty list of models', models('[]'), 4, /must not be empty/],
    ['models that are a mapping', models('{ a: b }'), 4, /unknown key "a"/, /known keys: env/],
    ['a model that is a number', models('[4]'), 4, /expected a text or a mapping, found the number 4/],
    ['a model id with a blank', models('["a b"]'), 4, /"a b" does not fit/, /without spaces/],
    ['a model without id', models('[{ as: x }]'), 4, /"id" is missing/],
    ['an unknown key in a model', models('[{ id: a, settigns: {} }]'), 4, /unknown key/, /"settings"/],
    ['a model twice', models('[a, b, { id: a }]'), 4, /"a" is listed twice/],
    ['a common name twice', models('[{ id: a, as: x }, { id: b, as: x }]'), 4, /called "x"/],
    ['half a price', models('[{ id: a, price: { prompt: 1 } }]'), 4, /"completion" is missing/],
    ['a negative price', models('[{ id: a, price: { prompt: -1, completion: 1 } }]'), 4, />= 0/],
    ['an invalid date', models('[{ id: a, retired: 2026-13-01 }]'), 4, /does not fit/, /YYYY-MM-DD/],
    [
      'an invalid label',
      target('    settings: { thinking: { "on/off": {} } }\n'),
      5,
      /"on\/off" does not fit/,
      /label/,
    ],
    ['a patch that is a text', target('    settings: { thinking: { on: yes } }\n'), 5, /expected a mapping or nothing/],
    ['concurrency 0', target('    limits: { concurrency: 0 }\n'), 5, />= 1/],
    ['concurrency as text', target('    limits: { concurrency: "4" }\n'), 5, /whole number, found the text "4"/],
    ['a time-out of 0', target('    limits: { timeout_s: 0 }\n'), 5, /> 0/],
    ['too many retries', target('    limits: { retries: 1000 }\n'), 5, /<= 20/],
    [
      'a target name in capitals',
      'targets:\n  Demo:\n    base_url: simulator\n    models: [a]\n',
      2,
      /"Demo" does not fit/,
      /kebab-case/,
    ],
    [
      'a whole endpoint',
      address('https://service.example/v1/chat/completions'),
      3,
      /full endpoint/,
      /^write https:\/\/service\.example\/v1$/,
    ],
    [
      'an endpoint without version',
      address('https://service.example/api/chat/completions/'),
      3,
      /full endpoint/,
      /^write https:\/\/service\.example\/api$/,
    ],
    [
      'a Messages-style endpoint',
      address('https://service.example/v1/messages'),
      3,
      /Messages-style/,
      /^write https:\/\/service\.example\/v1,/,
    ],
    [
      'a Messages-style base address',
      address('https://service.example/api/anthropic'),
      3,
      /Messages-style/,
      /^write https:\/\/service\.example\/api\/v1,/,
    ],
    [
      'an address of a variable that is not set',
      address('{ env: CHAT_URL }'),
      3,
      /CHAT_URL is not set; it is used as base_url of target "demo"/,
      /export CHAT_URL=/,
    ],
    ['models of a variable that is not set', models('{ env: CHAT_MODELS }'), 4, /CHAT_MODELS is not set/, /\.env/],
    ['a query', address('https://service.example/v1?x=1'), 3, /query/, /^write https:\/\/service\.example\/v1$/],
    ['another protocol', address('ftp://service.example/v1'), 3, /not an http or https address/],
    ['no protocol', address('service.example/v1'), 3, /not an http or https/, /^write https:\/\/service\.example\/v1$/],
    ['nonsense', address('"::"'), 3, /not an http or https/, /simulator/],
    ['a misspelt simulator', address('simulater'), 3, /not an address/, /did you mean "simulator"/],
    ['credentials in the address', address('https://me:hunter2@service.example/v1'), 3, /user name or password/],
    [
      'api_key',
      target('    api_key: sk-1234567890abcdef\n'),
      5,
      /keys may not be in the file/,
      /api_key_env: CHATSPEC_API_KEY/,
    ],
    [
      'a key as the name of the variable',
      target('    api_key_env: sk-1234567890abcdef\n'),
      5,
      /name of an environment variable/,
    ],
    [
      'a key without prefix as the name',
      target('    api_key_env: 3f9a0c7e5b1d4a6f8e2c9b7a5d3f1e0c\n'),
      5,
      /name of an environment/,
    ],
    [
      'a key in a header',
      target('    headers: { Authorization: Bearer sk-1234567890abcdef }\n'),
      5,
      /credential/,
      /\{ env: NAME \}/,
    ],
    ['a key in a free header', target('    headers: { x-foo: sk-1234567890abcdef }\n'), 5, /credential/],
    ['a key in a patch', target('    settings: { a: { b: { key: sk-1234567890abcdef0 } } }\n'), 5, /key/],
    ['a header without name', target('    headers: { "x y": a }\n'), 5, /not a header name/],
    ['a header of the client', target('    headers: { Host: a }\n'), 5, /set by chatspec/],
    ['a header twice', target('    headers: { x-a: a, X-A: b }\n'), 5, /the same/],
    ['a header with a line break', target('    headers: { x-a: "a\\nb: c" }\n'), 5, /not allowed in a header/],
    ['a header that is a list', target('    headers: { x-a: [a] }\n'), 5, /expected a text or a mapping, found a list/],
    ['a header without a source', target('    headers: { x-a: { evn: A } }\n'), 5, /unknown key "evn"/],
    ['a redact pattern that does not compile', `${target('')}redact: ["a", "("]\n`, 5, /not a regular expression/],
    ['a redact pattern that matches nothing', `${target('')}redact: ["x*"]\n`, 5, /empty text/],
    ['a share above 1', `${target('')}max_unmeasured: 3\n`, 5, /<= 1/],
    ['half a request as budget', `${target('')}budget: { requests: 1.5 }\n`, 5, /whole number/],
    ['suites as text', `${target('')}suites: builtin:core\n`, 5, /expected a list/],
    ['no suites', `${target('')}suites: []\n`, 5, /must not be empty/],
  ];
  for (const [name, text, line, message, hint] of cases)
    test(name, async () => {
      const { problems } = await load(text);
      const errors = problems.filter(({ severity }) => severity === 'error');
      expect(errors.map((error) => error.message)).toHaveLength(1);
      expect(errors[0]).toMatchObject({ place: { file: join(folder, 'chatspec.yaml'), line } });
      expect(errors[0]!.message).toMatch(message);
      if (hint !== undefined) expect(errors[0]!.hint).toMatch(hint);
      expect(JSON.stringify(problems)).not.toMatch(/sk-1234|hunter2|3f9a0c7e|\bat \w+ \(/);
    });

  test('names the missing file, and shows the smallest config', async () => {
    const { problems } = await loadConfig(join(folder, 'none.yaml'), {});
    expect(problems).toHaveLength(1);
    expect(problems[0]!.message).toContain(join(folder, 'none.yaml'));
    expect(problems[0]!.hint).toContain('base_url: simulator');
  });

  test('a folder instead of a file', async () => {
    expect((await loadConfig(folder, {})).problems[0]!.message).toMatch(/folder/);
  });

  test('finds a key from the environment in the file, whatever it looks like', async () => {
    const { config, problems } = await load(target('    api_key_env: KEY\n    headers: { x-a: swordfish }\n'), {
      KEY: 'swordfish',
    });
    expect(config).toBeNull();
    expect(problems.map(({ message }) => message)).toEqual(['this text contains a key that is in use']);
  });

  test('shows no key in the lines around another error, nor from a file that does not parse', async () => {
    const near = await load(`targets:\n  demo:\n    api_key: topsecretvalue\n    base_url: [1]\n    models: [a]\n`);
    expect(JSON.stringify(near.problems)).not.toContain('topsecretvalue');
    const broken = await load(`targets:\n  demo:\n    api_key: topsecretvalue\n    base_url: [1\n    models: [a]\n`);
    expect(broken.problems.length).toBeGreaterThan(0);
    expect(JSON.stringify(broken.problems)).not.toContain('topsecretvalue');
  });

  test('only warns when a real service is sent no key', async () => {
    const { config, problems } = await load('targets: { demo: { base_url: "http://127.0.0.1:1/v1", models: [a] } }');
    expect(config).not.toBeNull();
    expect(problems).toMatchObject([{ severity: 'warning' }]);
  });
});
