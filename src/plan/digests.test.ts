import { describe, expect, test } from 'vitest';
import { aModel, aTarget } from '../../test/support/build.js';
import type { ModelConfig, TargetConfig } from '../config/config.js';
import { entryDigest } from './digests.js';

const place = { file: 'chatspec.yaml', line: 9, column: 1 };

function entry(model: Partial<ModelConfig> = {}, target: Partial<TargetConfig> = {}): string {
  return entryDigest(aTarget('demo', { baseUrl: 'https://a.example.com/v1', ...target }), aModel('demo/m', model));
}

describe('entryDigest', () => {
  test.each<[string, Partial<ModelConfig>, Partial<TargetConfig>]>([
    ['the address', {}, { baseUrl: 'https://b.example.com/v1' }],
    ['the key', {}, { apiKeyEnv: 'OTHER_KEY' }],
    ['a header', {}, { headers: { 'x-team': 'eval' } }],
    ['the variable of a header', {}, { headers: { 'x-team': { env: 'TEAM' } } }],
    ['the id', { id: 'n' }, {}],
    ['request', { request: { seed: 1 } }, {}],
    ['request, in which null takes a field out', { request: { seed: null } }, {}],
    ['rename', { rename: { max_tokens: 'max_completion_tokens' } }, {}],
    ['vars', { vars: { buyer: 'Li Lei' } }, {}],
    ['settings', { settings: { thinking: { on: { thinking: true } } } }, {}],
    ['control', { control: { stream: true } }, {}],
  ])('changes with %s', (_, model, target) => {
    expect(entry(model, target)).not.toBe(entry());
  });

  test('stays with what changes no request, and with the order of keys', () => {
    const price = { prompt: 1, completion: 2 };
    const model = { as: 'other', concurrency: 9, price, retired: '2026-12-01', place };
    const limits = { concurrency: 9, requestsPerMinute: 9, tokensPerMinute: 9, timeoutSeconds: 9, retries: 9 };
    expect(entry(model, { limits, place, variables: ['A'], models: [aModel('demo/other')] })).toBe(entry());
    expect(entry({ request: { a: 1, b: 2 } })).toBe(entry({ request: { b: 2, a: 1 } }));
    expect(entry({}, { headers: { a: '1', b: '2' } })).toBe(entry({}, { headers: { b: '2', a: '1' } }));
  });
});
