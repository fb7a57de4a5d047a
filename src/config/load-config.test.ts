import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from './load-config.js';
import { tableIn } from '../../test/support/cases.js';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'chatspec-config-'))));
afterAll(() => rm(folder, { recursive: true }));

async function load(text: string, env: Record<string, string> = {}) {
  const file = join(folder, 'chatspec.yaml');
  await writeFile(file, text);
  return loadConfig(file, env);
}

const target = (lines: string) => `targets:\n  demo:\n    base_url: simulator\n    models: [a]\n${lines}`;

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

test('what the command line says counts more than the model, and the model more than its target', async () => {
  const text = `targets:
  demo:
    base_url: simulator
    request: { top_p: 0.1, seed: 1, stop: x }
    rename: { max_tokens: of_target, seed: of_target, stop: of_target }
    models: [{ id: a, request: { top_p: 0.2, seed: 2 }, rename: { max_tokens: of_model, seed: of_model } }]
`;
  const said = { text, request: { top_p: 0.3 }, rename: { max_tokens: 'of_line' } };
  const { readable } = await loadConfig(join(folder, 'said.yaml'), {}, said);
  expect(readable?.targets[0]?.models[0]).toMatchObject({
    request: { top_p: 0.3, seed: 2, stop: 'x' },
    rename: { max_tokens: 'of_line', seed: 'of_model', stop: 'of_target' },
  });
});

describe('a broken config gives one clear error', () => {
  const cases = tableIn('config', 'broken configs') as readonly (readonly [
    name: string,
    text: string,
    line: number,
    message: string,
    hint?: string,
  ])[];
  for (const [name, text, line, message, hint] of cases) {
    test(name, async () => {
      const { problems } = await load(text);
      const errors = problems.filter(({ severity }) => severity === 'error');
      expect(errors.map((error) => error.message)).toHaveLength(1);
      expect(errors[0]).toMatchObject({ place: { file: join(folder, 'chatspec.yaml'), line } });
      expect(errors[0]!.message).toMatch(new RegExp(message));
      if (hint !== undefined) expect(errors[0]!.hint).toMatch(new RegExp(hint));
      expect(JSON.stringify(problems)).not.toMatch(/sk-1234|hunter2|3f9a0c7e|\bat \w+ \(/);
    });
  }

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
