import { expect, test } from 'vitest';
import { conditionShown } from './condition-text.js';

test.each([
  [{ condition: null }, null],
  [{ condition: 'only with a=x' }, 'only with a=x'],
  [{ condition: 'n >= 2', asked_up_to: { n: 8 } }, 'n >= 2 (asked up to 8)'],
  [{ condition: 'n >= 2 and m >= 4', asked_up_to: { n: 8, m: 16 } }, 'n >= 2 and m >= 4 (asked up to n 8 and m 16)'],
  [
    { condition: 'not with a=x; not known with a=y', not_known: { passed: 1, total: 1 } },
    'not with a=x; not known with a=y, where 1 of 1 trial passed',
  ],
  [
    { condition: 'n >= 2; not known with a=y', asked_up_to: { n: 8 }, not_known: { passed: 2, total: 3 } },
    'n >= 2; not known with a=y, where 2 of 3 trials passed (asked up to 8)',
  ],
])('says beside a condition how far it was asked, and what passed of which it says nothing: %j', (capability, text) => {
  expect(conditionShown(capability)).toBe(text);
});
