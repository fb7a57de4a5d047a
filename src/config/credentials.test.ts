import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { TargetConfig } from './config.js';
import { credentialsOf, problemsOfCredentials, readEnvironment } from './credentials.js';
import { loadConfig } from './load-config.js';

const target: TargetConfig = {
  name: 'demo',
  baseUrl: 'https://service.example/v1',
  apiKeyEnv: 'KEY',
  headers: { 'X-Team': 'eval', 'x-token': { env: 'TOKEN' } },
  limits: { concurrency: 1, requestsPerMinute: null, tokensPerMinute: null, timeoutSeconds: 1, retries: 0 },
  models: [],
  place: { file: 'chatspec.yaml', line: 2, column: 3 },
};

describe('credentials', () => {
  test('come from the environment', () => {
    expect(credentialsOf(target, { KEY: 'sk-abc', TOKEN: 't0ken' })).toEqual({
      headers: { authorization: 'Bearer sk-abc', 'x-team': 'eval', 'x-token': 't0ken' },
      secrets: ['t0ken', 'sk-abc'],
      foreignSecrets: [],
      problem: null,
    });
  });

  test('lose the line break at their end', () => {
    expect(credentialsOf(target, { KEY: 'sk-abc\n', TOKEN: 't' }).headers['authorization']).toBe('Bearer sk-abc');
  });

  test.each([
    ['a missing key', { TOKEN: 't' }, 'error', /KEY is not set/],
    ['an empty key', { KEY: ' ', TOKEN: 't' }, 'error', /KEY is not set/],
    ['a missing header', { KEY: 'sk-abc' }, 'error', /TOKEN is not set/],
    ['a key that no header can contain', { KEY: 'sk-a\nb', TOKEN: 't' }, 'error', /not allowed in a header/],
    ['a key that is not ASCII', { KEY: 'sk-ключ', TOKEN: 't' }, 'error', /not allowed in a header/],
    ['a key that is part of every answer', { KEY: 'Choices', TOKEN: 't' }, 'error', /part of every answer/],
    ['a header that is part of every answer', { KEY: 'sk-abc', TOKEN: 'content' }, 'error', /part of every answer/],
    ['a short word, which is never masked', { KEY: 'stop', TOKEN: 't' }, 'warning', /does not begin with sk-/],
    ['a key that does not begin with sk-', { KEY: 'abcdef', TOKEN: 't' }, 'warning', /does not begin with sk-/],
    ['an error comes before a warning', { KEY: 'abcdef' }, 'error', /TOKEN/],
  ] as const)('%s', (_name, env, severity, message) => {
    const { problem } = credentialsOf(target, env);
    expect(problem).toMatchObject({ severity, place: target.place });
    expect(problem!.message).toMatch(message);
    for (const value of Object.values(env)) {
      if (value.trim().length > 1) expect(`${problem!.message}${problem!.hint ?? ''}`).not.toContain(value);
    }
  });

  test('are not needed by the simulator', () => {
    const simulator = { ...target, baseUrl: 'simulator', headers: {} };
    expect(credentialsOf(simulator, {})).toEqual({ headers: {}, secrets: [], foreignSecrets: [], problem: null });
    expect(credentialsOf(simulator, { KEY: 'abc' })).toMatchObject({ secrets: ['abc'], problem: null });
  });
});

test('unusual keys of several targets are one warning, and each missing one is an error', () => {
  const targets = ['A', 'B', 'A', 'C'].map((apiKeyEnv) => ({ ...target, apiKeyEnv, headers: {} }));
  const found = problemsOfCredentials(targets, { A: 'abcdef', B: 'ghijkl' });
  expect(found.map(({ severity, message }) => [severity, message])).toEqual([
    ['error', expect.stringMatching(/\bC is not set/)],
    ['warning', 'the keys in A, B do not begin with sk-'],
  ]);
  expect(problemsOfCredentials(targets.slice(0, 1), { A: 'sk-a' })).toEqual([]);
});

describe('.env', () => {
  test('adds to the environment, which takes precedence', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'chatspec-env-'));
    await writeFile(join(folder, '.env'), 'A=file\nB="two words"\n');
    expect(await readEnvironment([folder], { A: 'shell' })).toEqual({
      env: { A: 'shell', B: 'two words' },
      problems: [],
    });
    await writeFile(
      join(folder, '.env'),
      'stray\r\n\nKEY=1\n# note\nTEXT="a\nb = c\nd"\nloose words\nLAST=\'x\' # end\n',
    );
    expect((await readEnvironment([folder], {})).env).toEqual({ KEY: '1', TEXT: 'a\nb = c\nd', LAST: 'x' });
    await rm(join(folder, '.env'));
    expect(await readEnvironment([folder], { A: 'shell' })).toEqual({ env: { A: 'shell' }, problems: [] });
    await mkdir(join(folder, '.env'));
    expect((await readEnvironment([folder], {})).problems).toMatchObject([{ severity: 'error' }]);
    await rm(folder, { recursive: true });
  });
});

describe('a variable that is not set', () => {
  const text = `targets:
  demo:
    base_url: https://service.example/v1
    headers: { x-token: { env: TEAM_TOKEN } }
    api_key_env: SHOP_KEY
    models: [m]
`;

  test.each([
    ['SHOP_KEY', { TEAM_TOKEN: 't' }, 5, 18],
    ['TEAM_TOKEN', { SHOP_KEY: 'sk-123456' }, 4, 32],
  ])('%s is reported where the config names it, with the next step', async (name, env, line, column) => {
    const folder = await mkdtemp(join(tmpdir(), 'chatspec-key-'));
    const file = join(folder, 'chatspec.yaml');
    await writeFile(file, text);
    const { config, problems } = await loadConfig(file, env);
    await rm(folder, { recursive: true });
    expect(problems).toEqual([]);
    const { problem } = credentialsOf(config!.targets[0]!, env);
    expect(problem).toMatchObject({ severity: 'error', place: { file, line, column } });
    expect(problem!.message).toContain(`the environment variable ${name} is not set`);
    expect(problem!.hint).toContain(`export ${name}=...`);
    expect(problem!.frame).toContain(`> ${line} |`);
  });
});
