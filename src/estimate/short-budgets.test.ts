import { expect, test } from 'vitest';
import type { Amount } from './amount.js';
import { shortBudgets } from './short-budgets.js';

const amount: Amount = {
  requests: { expected: 40, largest: 400, likely: [40, 40] },
  tokens: { expected: 1000, largest: 100_000, likely: [1000, 1000] },
  cost: { expected: 0.5, largest: 50, likely: [0.5, 0.5] },
};
const none = { requests: null, tokens: null, cost: null };

test.each([
  [none, 1, []],
  [{ requests: 400, tokens: 100_000, cost: 50 }, 1, []],
  [{ ...none, requests: 399 }, 1, [{ unit: 'requests', limit: 399, below: 'largest' }]],
  [{ ...none, requests: 40 }, 1, [{ unit: 'requests', limit: 40, below: 'largest' }]],
  [{ ...none, requests: 39 }, 1, [{ unit: 'requests', limit: 39, below: 'expected' }]],
  [{ ...none, tokens: 999 }, 1, [{ unit: 'tokens', limit: 999, below: 'expected' }]],
  [{ ...none, cost: 0.4 }, 1, [{ unit: 'cost', limit: 0.4, below: 'expected' }]],
  [{ ...none, requests: 100 }, 1 / 3, [{ unit: 'requests', limit: 33, below: 'expected' }]],
] as const)('of %j, a share of %d', (budget, share, short) => {
  expect(shortBudgets(amount, budget, share)).toEqual(short);
});

test('says nothing of a cost that is not known', () => {
  expect(shortBudgets({ ...amount, cost: null }, { ...none, cost: 0.1 })).toEqual([]);
});
