import { expect, test } from 'vitest';
import { conditionShown } from './condition-text.js';

test.each([
  [{ condition: null }, null],
  [{ condition: 'only with a=x' }, 'only with a=x'],
  [{ condition: 'n >= 2', asked_up_to: { n: 8 } }, 'n >= 2 (asked up to 8)'],
  [{ condition: 'n >= 2 and m >= 4', asked_up_to: { n: 8, m: 16 } }, 'n >= 2 and m >= 4 (asked up to n 8 and m 16)'],
])('says beside a condition how far it was asked: %j', (capability, text) => {
  expect(conditionShown(capability)).toBe(text);
});
