import { expect, test } from 'vitest';
import { deploymentIn, isRecordedHeader } from './answer-headers.js';

test.each([
  ['x-litellm-model-id', true],
  ['x-litellm-call-id', true],
  ['llm_provider-x-request-id', true],
  ['x-portkey-trace-id', true],
  ['cf-ray', true],
  ['x-envoy-upstream-service-time', true],
  ['x-ratelimit-remaining-requests', true],
  ['apim-request-id', true],
  ['set-cookie', false],
  ['openai-organization', false],
  ['x-litellm-key-spend', false],
  ['llm_provider-set-cookie', false],
  ['authorization', false],
])('%s is recorded: %s', (name, is) => {
  expect(isRecordedHeader(name)).toBe(is);
});

test('the deployment is the first header that names one', () => {
  expect(deploymentIn({ 'x-served-by': 'b', 'x-litellm-model-id': 'a1' })).toBe('x-litellm-model-id a1');
  expect(deploymentIn({ date: 'x' })).toBeNull();
});
