import { expect, test } from 'vitest';
import { failing, passing } from '../../../test/support/build.js';
import { findingOf } from '../../decide/finding.js';
import { compactOutcomes } from './compact-outcomes.js';

test('keeps equal outcomes once, without what only reports need', () => {
  const compact = compactOutcomes(false);
  const first = compact({ ...passing, value: { total: 1 } });
  expect(compact({ ...passing, value: { total: 2 } })).toBe(first);
  expect(first).toMatchObject({ passed: true, reply: null, value: undefined, violations: [] });
});

test('keeps everything for a course that reads replies', () => {
  const compact = compactOutcomes(true);
  const violations = [{ at: '/total', message: 'must be number' }];
  const outcome = { ...failing, value: { total: 'x' }, violations };
  expect(compact(outcome)).toBe(outcome);
});

test('changes no finding', () => {
  const outcomes = [passing, failing, { ...failing, detail: 'another' }, passing, failing];
  expect(findingOf(outcomes.map(compactOutcomes(false)))).toEqual(findingOf(outcomes));
});
