import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { failing, faulty, passing } from '../../test/support/build.js';
import type { Outcome } from '../judge/outcome.js';
import { findingOf } from './finding.js';

const truncated: Outcome = { ...failing, class: 'truncated', detail: 'cut', rung: 'accepted' };
const refused: Outcome = { ...failing, class: 'http_error', reason: 'schema_rejected', status: 400, rung: null };

describe('the verdict', () => {
  test.each([
    ['no failure', [passing, passing], 'pass'],
    ['no pass', [failing, truncated], 'fail'],
    ['both', [passing, failing], 'flaky'],
    ['a fault and a pass', [faulty, passing], 'pass'],
    ['a fault and a failure', [faulty, failing], 'fail'],
    ['only faults', [faulty, faulty], 'inconclusive'],
    ['nothing', [], 'inconclusive'],
  ] as const)('%s', (_, outcomes, verdict) => expect(findingOf(outcomes).verdict).toBe(verdict));

  test('never depends on the order of the outcomes, nor on faults', () => {
    const outcomes = fc.array(fc.constantFrom(passing, failing, truncated, refused), { minLength: 1, maxLength: 12 });
    const shuffled = outcomes.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }), fc.array(fc.constant(faulty))),
    );
    fc.assert(
      fc.property(shuffled, ([list, other, faults]) => {
        const [one, two] = [findingOf(list), findingOf([...faults, ...other])];
        expect(two.verdict).toBe(one.verdict);
        expect(two.rung).toBe(one.rung);
        expect(two.trials).toEqual({ ...one.trials, faults: faults.length });
      }),
    );
  });
});

describe('the explanation', () => {
  test('is that of the most frequent failure', () => {
    expect(findingOf([refused, failing, truncated, truncated])).toMatchObject({ class: 'truncated', detail: 'cut' });
  });
  test('is that of the first if several are equally frequent', () => {
    expect(findingOf([refused, failing])).toMatchObject({
      class: 'http_error',
      reason: 'schema_rejected',
      status: 400,
    });
  });
  test('is empty on a pass', () => {
    expect(findingOf([passing, faulty])).toMatchObject({ class: null, reason: null, status: null, detail: null });
  });
  test('is the fault if there is nothing else', () => {
    expect(findingOf([faulty])).toMatchObject({ class: 'transport', detail: 'connection reset' });
  });
});

test('the rung is the one that every judged trial reached', () => {
  expect(findingOf([passing, failing]).rung).toBe('present');
  expect(findingOf([passing, truncated, faulty]).rung).toBe('accepted');
  expect(findingOf([passing, refused]).rung).toBeNull();
  expect(findingOf([faulty]).rung).toBeNull();
});

test('quirks are combined, and recovery is counted where it was tried', () => {
  const finding = findingOf([
    { ...passing, quirks: ['b'] },
    { ...failing, quirks: ['a', 'b'], recovered: true },
    { ...failing, recovered: false },
  ]);
  expect(finding.quirks).toEqual(['a', 'b']);
  expect(finding.recovery).toEqual({ recovered: 1, of: 2 });
  expect(findingOf([passing]).recovery).toBeNull();
});
