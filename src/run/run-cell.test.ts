import { expect, test } from 'vitest';
import { failing, faulty, passing } from '../../test/support/build.js';
import { findingOf } from '../decide/finding.js';
import { compare } from '../judge/compared.js';
import type { Outcome } from '../judge/outcome.js';
import { checkSchema } from '../judge/schema/conformance.js';
import { compactOutcomes } from './run-cell.js';

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

test('keeps what the judge has told of a reply, and not the reply', () => {
  const compact = compactOutcomes(true);
  const violations = [{ at: '/total', message: 'must be number' }];
  const value = { total: 'x'.repeat(1e6) };
  const compared = compare({ value, reply: null }, { schemas: [{ type: 'object' }], documents: [] }, checkSchema);
  const kept = compact({ ...failing, value, violations, compared });
  expect(kept).toMatchObject({ value: undefined, reply: null, violations, compared });
  expect(JSON.stringify(kept).length).toBeLessThan(2000);
  expect(compact({ ...faulty, value })).toMatchObject({ fault: true, value: undefined });
});

test('changes no finding', () => {
  const outcomes = [passing, failing, { ...failing, detail: 'another' }, passing, failing];
  expect(findingOf(outcomes.map(compactOutcomes(false)))).toEqual(findingOf(outcomes));
});

test('outcomes that differ in any one member stay apart', () => {
  const compared = compare({ value: 1, reply: null }, { schemas: [], documents: [] }, checkSchema);
  const others: Readonly<Record<keyof Omit<Outcome, 'wire' | 'value' | 'reply' | 'violations'>, Outcome>> = {
    passed: { ...passing, passed: false },
    fault: { ...passing, fault: true },
    class: { ...passing, class: 'truncated' },
    reason: { ...passing, reason: 'overloaded' },
    status: { ...passing, status: 201 },
    detail: { ...passing, detail: 'another' },
    rung: { ...passing, rung: 'conforms' },
    quirks: { ...passing, quirks: ['usage_missing'] },
    step: { ...passing, step: 'second' },
    recovered: { ...passing, recovered: true },
    compared: { ...passing, compared },
  };
  for (const [name, other] of Object.entries(others)) {
    const compact = compactOutcomes(false);
    const [first, second, again] = [compact(passing), compact(other), compact(passing)];
    expect(second, name).not.toBe(first);
    expect(second, name).toEqual({ ...other, wire: [], reply: null, violations: [], value: undefined });
    expect(again, name).toBe(first);
  }
});
