import { expect, test } from 'vitest';
import { aTarget } from '../../test/support/build.js';
import { accountsOf, shareOfLimit } from './accounts.js';
import type { TargetConfig } from './config.js';

const env = {
  A: 'sk-the-same-key',
  B: ' sk-the-same-key\n',
  OTHER: 'sk-another-key',
  BEARER: 'Bearer sk-the-same-key',
  TEAM: 'eval-team',
};
const host = 'https://service.example/v1';

/** Whether a service counts two targets together. */
function together(one: Partial<TargetConfig>, other: Partial<TargetConfig>, known: typeof env | null = env): boolean {
  const both = [one, other].map((changes, index) => ({ ...aTarget(`t${index}`, { baseUrl: host }), ...changes }));
  const accounts = accountsOf(both, known);
  return accounts.get('t0') === accounts.get('t1');
}

test.each<[string, Partial<TargetConfig>, Partial<TargetConfig>]>([
  ['in one variable', { apiKeyEnv: 'A' }, { apiKeyEnv: 'A' }],
  ['in two variables', { apiKeyEnv: 'A' }, { apiKeyEnv: 'B' }],
  ['in a header of its own', { apiKeyEnv: 'A' }, { headers: { 'X-Api-Key': { env: 'B' } } }],
  ['in a written-out authorization', { apiKeyEnv: 'A' }, { headers: { Authorization: { env: 'BEARER' } } }],
  ['beside other secret headers', { apiKeyEnv: 'A' }, { apiKeyEnv: 'A', headers: { 'x-team': { env: 'TEAM' } } }],
  ['in a header of any name', { headers: { 'x-team': { env: 'A' } } }, { headers: { 'x-team': { env: 'B' } } }],
])('one key is one account: %s', (_, one, other) => {
  expect(together(one, other)).toBe(true);
});

test.each<[string, Partial<TargetConfig>, Partial<TargetConfig>]>([
  ['another key', { apiKeyEnv: 'A' }, { apiKeyEnv: 'OTHER' }],
  [
    'only another header in common',
    { apiKeyEnv: 'A', headers: { t: { env: 'TEAM' } } },
    { apiKeyEnv: 'OTHER', headers: { t: { env: 'TEAM' } } },
  ],
  ['no key', {}, {}],
  ['variables that are not set', { apiKeyEnv: 'UNSET' }, { apiKeyEnv: 'UNSET_TOO' }],
])('two accounts: %s', (_, one, other) => {
  expect(together(one, other)).toBe(false);
});

test('without the values, a variable is a key', () => {
  expect(together({ apiKeyEnv: 'A' }, { apiKeyEnv: 'A' }, null)).toBe(true);
  expect(together({ apiKeyEnv: 'A' }, { apiKeyEnv: 'B' }, null)).toBe(false);
});

test.each([
  ['http://localhost:8000/v1', 'http://127.0.0.1:8000/v1'],
  ['http://localhost:8000/v1', 'http://[::1]:8000/v1'],
  ['http://localhost:8000/v1', 'http://LocalHost.:8000/v1'],
  ['http://localhost:8000/v1', 'http://127.0.1.1:8000/v1'],
  ['http://localhost:8000/v1', 'http://2130706433:8000/v1'],
  ['http://localhost/v1', 'http://127.0.0.1:80/v1'],
  ['https://service.example/v1', 'https://SERVICE.example.:443/v1'],
  ['https://service.example/v1', 'https://service.example/other/v1'],
  ['https://bücher.example/v1', 'https://xn--bcher-kva.example/v1'],
])('%s and %s are one address', (one, other) => {
  expect(together({ apiKeyEnv: 'A', baseUrl: one }, { apiKeyEnv: 'A', baseUrl: other })).toBe(true);
});

test.each([
  ['http://localhost:8000/v1', 'http://localhost:8001/v1'],
  ['http://localhost:8000/v1', 'http://10.0.0.1:8000/v1'],
  ['http://localhost:8000/v1', 'http://localhost.example:8000/v1'],
  ['http://service.example/v1', 'https://service.example/v1'],
  ['https://service.example/v1', 'https://eu.service.example/v1'],
])('%s and %s are two addresses', (one, other) => {
  expect(together({ apiKeyEnv: 'A', baseUrl: one }, { apiKeyEnv: 'A', baseUrl: other })).toBe(false);
});

test('a share of a limit is rounded down, but for what a division loses', () => {
  expect([shareOfLimit(10, 1 / 3), shareOfLimit(3 * 7, 1 / 3), shareOfLimit(5, 1)]).toEqual([3, 7, 5]);
});
