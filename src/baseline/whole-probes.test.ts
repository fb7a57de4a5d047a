import { expect, test } from 'vitest';
import { wholeProbes } from './whole-probes.js';

const line = 'tool-choice/order@demo/a';
const isWhole = (filters?: Record<string, readonly string[]>, more: object = {}) =>
  wholeProbes({ complete: true, profile: 'standard', ...(filters && { filters }), ...more })(line);

test.each<[Record<string, readonly string[]> | undefined, boolean]>([
  [undefined, true],
  [{ tags: ['nightly'], models: ['a'] }, true],
  [{ only: ['tool-choice/order'] }, true],
  [{ only: ['tool-choice/*@demo/*'] }, true],
  [{ only: ['tool-choice/order[tool_choice=object]'] }, false],
  [{ only: ['*[*object*]'] }, false],
  [{ only: ['*object*'] }, false],
  [{ only: ['chat/*', '*/order'] }, true],
  // A probe that was only asked because another needs it.
  [{ only: ['chat/*'] }, false],
  [{ skip: ['tool-choice/order[tool_choice=object]'] }, false],
  [{ skip: ['*object*'] }, false],
  [{ skip: ['chat/*'] }, true],
])('with the filters %j, the run asked all points of a probe: %s', (filters, whole) => {
  expect(isWhole(filters)).toBe(whole);
});

test('a run of what was left open speaks for no whole probe', () => {
  expect(isWhole(undefined, { last_failed: {} })).toBe(false);
});
