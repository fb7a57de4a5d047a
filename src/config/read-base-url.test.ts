import { expect, test } from 'vitest';
import { readBaseUrl } from './read-base-url.js';

test.each([
  ['https://service.example', 'https://service.example'],
  ['https://service.example/', 'https://service.example'],
  ['https://service.example/v1', 'https://service.example/v1'],
  ['https://service.example/v1//', 'https://service.example/v1'],
  ['https://service.example/v2', 'https://service.example/v2'],
  ['https://service.example/api/paas/v4/', 'https://service.example/api/paas/v4'],
  ['https://service.example/v1beta/openai/', 'https://service.example/v1beta/openai'],
  ['https://service.example/openai/deployments/x', 'https://service.example/openai/deployments/x'],
  ['https://service.example/models', 'https://service.example/models'],
  ['https://service.example/anthropic/v1', 'https://service.example/anthropic/v1'],
  ['http://127.0.0.1:8080/engines/llama.cpp/v1', 'http://127.0.0.1:8080/engines/llama.cpp/v1'],
])('%s is taken as what stands before /chat/completions', (written, baseUrl) => {
  expect(readBaseUrl(written)).toEqual({ ok: true, baseUrl, doubt: null });
});

test.each([
  ['https://service.example/v1/chat/completions', 'https://service.example/v1'],
  ['https://service.example/chat/completions', 'https://service.example'],
  ['https://service.example/api/paas/v4/Chat/Completions/', 'https://service.example/api/paas/v4'],
  ['https://service.example/v1/chat/completions?api-version=1', 'https://service.example/v1'],
  ['https://service.example/v1/messages', 'https://service.example/v1'],
  ['https://service.example/anthropic/v1/messages', 'https://service.example/v1'],
  ['https://service.example/api/v2/messages', 'https://service.example/api/v2'],
  ['https://service.example/messages', 'https://service.example/v1'],
  ['https://service.example/anthropic', 'https://service.example/v1'],
  ['https://service.example/v1/anthropic/', 'https://service.example/v1'],
  ['service.example', 'https://service.example/v1'],
  ['127.0.0.1:8080/v1', 'http://127.0.0.1:8080/v1'],
  ['localhost:8080', 'http://localhost:8080/v1'],
  ['localhost.example/v1', 'https://localhost.example/v1'],
])('%s is refused in favour of %s', (written, right) => {
  const read = readBaseUrl(written);
  expect(read).toMatchObject({ ok: false });
  expect('hint' in read ? read.hint.split(',')[0] : '').toBe(`write ${right}`);
  expect(readBaseUrl(right)).toMatchObject({ ok: true });
});

test('another endpoint is only doubted: a vendor may have its base address there', () => {
  expect(readBaseUrl('https://service.example/v1/models')).toEqual({
    ok: true,
    baseUrl: 'https://service.example/v1/models',
    doubt: {
      message: 'base_url ends in /models, so requests go to https://service.example/v1/models/chat/completions',
      hint: 'write https://service.example/v1, unless the service documents this address',
    },
  });
});
