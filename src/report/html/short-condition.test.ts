import { expect, test } from 'vitest';
import { plainCondition, shortCondition } from './short-condition.js';

test.each([
  ['max_tokens >= 2048', '≥2048'],
  ['max_tokens <= 512', '≤512'],
  ['max_tokens >= 36 and not with thinking=enabled', '≥36 …'],
  ['not with tool_choice=object', 'not object'],
  ['only with tool_choice=required', 'only required'],
  ['not with stream=true', 'not stream=true'],
  ['only with thinking=disabled', 'only thinking=disabled'],
  ['temperature <= 0.5', 'temperature ≤ 0.5'],
  ['only with style: a, b', 'only style: a, b'],
  [
    'not with tool_choice: object, required and reasoning_effort: medium, high together',
    'not tool_choice: object, required and …',
  ],
])('%s is %s in the room of a field', (condition, short) => {
  expect(shortCondition({ condition })).toBe(short);
});

test('the whole condition is as in report.json, with signs that people write', () => {
  expect(plainCondition({ condition: 'max_tokens >= 36' })).toBe('max_tokens ≥ 36');
  expect(plainCondition({ condition: null })).toBeNull();
});
