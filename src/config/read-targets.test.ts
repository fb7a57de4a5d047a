import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from './load-config.js';
import { liveKeys } from './key-variables.js';

const text = `targets:
  service:
    base_url: { env: CHAT_URL }
    api_key_env: CHAT_KEY
    headers: { x-token: { env: TEAM_TOKEN } }
    models: { env: CHAT_MODELS }
`;
const key = 'sk-1f2e3d4c5b6a798877665544';
const env = {
  CHAT_URL: ' https://service.example/api/paas/v4/ ',
  CHAT_KEY: key,
  TEAM_TOKEN: 'team-token-77',
  CHAT_MODELS: 'vendor/one  two\n\tthree\r\n two',
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chatspec-env-'));
  await writeFile(join(folder, 'chatspec.yaml'), text);
});
afterAll(() => rm(folder, { recursive: true }));
const load = (values: Record<string, string | undefined>) => loadConfig(join(folder, 'chatspec.yaml'), values);

describe('{ env: NAME }', () => {
  test('gives the address and the models', async () => {
    const { config, problems } = await load(env);
    expect(problems).toEqual([]);
    const [target] = config!.targets;
    expect(target!.baseUrl).toBe('https://service.example/api/paas/v4');
    expect(target!.models.map(({ id }) => id)).toEqual(['vendor/one', 'two', 'three']);
  });

  test.each([
    ['CHAT_URL', undefined, 3, /CHAT_URL is not set; it is used as base_url of target "service"/],
    ['CHAT_URL', '  ', 3, /CHAT_URL is empty/],
    [
      'CHAT_URL',
      'https://service.example/v1/chat/completions',
      3,
      /value of the environment variable CHAT_URL: .*full/,
    ],
    ['CHAT_URL', 'hunter2-and-more', 3, /CHAT_URL: base_url is not an http or https address/],
    ['CHAT_URL', 'https://me:hunter2@service.example/v1', 3, /user name or password/],
    ['CHAT_URL', `https://service.example/${key}/v1`, 3, /CHAT_URL holds a key/],
    ['CHAT_URL', 'sk-another-key-1234567890', 3, /CHAT_URL holds a key/],
    ['CHAT_URL', 'https://service.example/v1?token=team-token-77', 3, /CHAT_URL holds a key/],
    ['CHAT_MODELS', undefined, 6, /CHAT_MODELS is not set; it is used as models of target "service"/],
    ['CHAT_MODELS', '', 6, /CHAT_MODELS is empty/],
    ['CHAT_MODELS', key, 6, /CHAT_MODELS holds a key/],
    ['CHAT_MODELS', 'one, two', 6, /CHAT_MODELS holds a model id that does not fit \(number 1\)/],
  ])('%s = %j is one error at its line, which shows no value', async (name, value, line, message) => {
    const { problems } = await load({ ...env, [name]: value });
    expect(problems).toMatchObject([{ severity: 'error', place: { line, column: line === 3 ? 22 : 20 } }]);
    expect(problems[0]!.message).toMatch(message);
    expect(problems[0]!.frame).toContain(`> ${line} |`);
    expect(JSON.stringify(problems)).not.toMatch(/hunter2|sk-|team-token-77/);
  });

  test('makes no address and no model a secret, but every header', () => {
    expect(liveKeys(text, env).sort()).toEqual([key, 'team-token-77']);
    // What names a variable for a secret too is a secret.
    expect(liveKeys(text.replace('TEAM_TOKEN', 'CHAT_URL'), env)).toContain(env.CHAT_URL.trim());
    expect(liveKeys(`${text}  : [`, env)).toContain(key);
  });
});
