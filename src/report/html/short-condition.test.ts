import { expect, test } from 'vitest';
import { plainCondition, shortCondition } from './short-condition.js';

test.each([
  ['max_tokens >= 2048', '≥2048'],
  ['max_tokens <= 512', '≤512'],
  ['max_tokens >= 36 and not with thinking=enabled and max_tokens < 88 together', '≥36 …'],
  ['max_tokens >= 36; not known with max_tokens < 12', '≥36 …'],
  ['not with tool_choice=object', 'not object'],
  ['only with tool_choice=required', 'only required'],
  ['not with stream=true', 'not stream=true'],
  ['only with thinking=disabled', 'only thinking=disabled'],
  ['temperature <= 0.5', 'temperature ≤ 0.5'],
  ['style: a, b', 'style: a, b'],
  ['not with probe thinking/json-schema; not known with probe thinking/tools', 'not probe thinking/json-schema …'],
])('%s is %s in the room of a field', (condition, short) => {
  expect(shortCondition({ condition })).toBe(short);
});

test('the whole condition is as in report.json, with signs that people write', () => {
  expect(plainCondition({ condition: 'max_tokens >= 36', asked_up_to: { max_tokens: 4096 } })).toBe(
    'max_tokens ≥ 36 (asked up to 4096)',
  );
  expect(plainCondition({ condition: null })).toBeNull();
});
