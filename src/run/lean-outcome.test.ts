import { expect, test } from 'vitest';
import { failing, passing } from '../../test/support/decide-fakes.js';
import { findingOf } from '../decide/finding.js';
import { leanOutcomes } from './lean-outcome.js';

test('keeps equal outcomes once, without what only reports need', () => {
  const lean = leanOutcomes(false);
  const first = lean({ ...passing, value: { total: 1 } });
  expect(lean({ ...passing, value: { total: 2 } })).toBe(first);
  expect(first).toMatchObject({ passed: true, reply: null, value: undefined, violations: [] });
});

test('keeps everything where a course reads replies', () => {
  const lean = leanOutcomes(true);
  const violations = [{ at: '/total', message: 'must be number' }];
  const outcome = { ...failing, value: { total: 'x' }, violations };
  expect(lean(outcome)).toBe(outcome);
});

test('changes no finding', () => {
  const outcomes = [passing, failing, { ...failing, detail: 'another' }, passing, failing];
  expect(findingOf(outcomes.map(leanOutcomes(false)))).toEqual(findingOf(outcomes));
});
