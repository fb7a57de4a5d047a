import { expect, test } from 'vitest';
import { thresholdText } from './phrases.js';

type Curve = Parameters<typeof thresholdText>[0]['curve'];

test.each<[number | null, number | null, boolean, Curve, string]>([
  [
    1280,
    1152,
    true,
    [
      [1152, 0, 1],
      [1280, 3, 3],
    ],
    'passes from 1280, fails at 1152',
  ],
  [16, null, true, [[16, 3, 3]], 'passes from 16'],
  [
    null,
    64,
    true,
    [
      [32, 0, 1],
      [64, 0, 1],
    ],
    'no passing value was found, fails at 64',
  ],
  [
    512,
    480,
    false,
    [
      [480, 0, 1],
      [512, 3, 3],
      [1024, 0, 2],
    ],
    'passes from 512, fails at 480; larger values do not always pass',
  ],
  [
    2048,
    1024,
    true,
    [
      [256, 0, 1],
      [1024, 2, 3],
      [2048, 3, 3],
    ],
    'passes from 2048; passes only sometimes at 1024',
  ],
  [
    null,
    64,
    true,
    [
      [16, 1, 2],
      [32, 0, 1],
      [64, 3, 6],
    ],
    'no value was found that passes reliably; passes only sometimes at values from 16 to 64',
  ],
])('%j, %j, monotonic %j', (value, last_failing, monotonic, curve, text) => {
  expect(thresholdText({ value, last_failing, monotonic, curve })).toBe(text);
});

test('a threshold that the baseline stores elsewhere is shown before and after', () => {
  const risen = { value: 3072, last_failing: 2816, monotonic: true, curve: [[2816, 0, 3] as const] };
  expect(thresholdText(risen, 1280)).toBe('passes from 3072 (before: from 1280), fails at 2816');
  expect(thresholdText(risen, 3072)).toBe('passes from 3072, fails at 2816');
  expect(thresholdText({ ...risen, value: null }, 1280)).toBe(
    'no passing value was found (before: from 1280), fails at 2816',
  );
});
