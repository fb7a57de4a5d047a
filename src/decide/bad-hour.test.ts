import { describe, expect, test } from 'vitest';
import { failing, passing } from '../../test/support/build.js';
import type { Finding } from './course.js';
import type { DoubtOutcome } from '../cell/verdict.js';
import { findingOf } from './finding.js';
import { withoutBadHour } from './bad-hour.js';

function dropped(passed: number, surprise: DoubtOutcome = 'confirmed'): Finding {
  const outcomes = [...Array<typeof passing>(passed).fill(passing), ...Array<typeof passing>(10).fill(failing)];
  const fresh = { suspicion: 'regression', passed, total: passed + 9, pValue: null } as const;
  return { ...findingOf(outcomes), surprise, fresh };
}

/** @param before how many runs in a row showed a cell before this one */
const statesAfter = (findings: Record<string, Finding>, before: Record<string, number> | null) =>
  [...withoutBadHour(new Map(Object.entries(findings)), before && new Map(Object.entries(before))).values()].map(
    ({ surprise }) => surprise,
  );

describe('a partial drop', () => {
  test('on its own raises an alarm at once', () =>
    expect(statesAfter({ a: dropped(5), b: findingOf([passing]) }, {})).toEqual(['confirmed', null]));
  test('together with others is put off', () =>
    expect(statesAfter({ a: dropped(5), b: dropped(3) }, {})).toEqual(['unsettled', 'unsettled']));
  test('together with an unsettled one is put off as well', () =>
    expect(statesAfter({ a: dropped(5), b: dropped(3, 'unsettled') }, {})).toEqual(['unsettled', 'unsettled']));
  test('that was already shown the night before raises an alarm', () =>
    expect(statesAfter({ a: dropped(5), b: dropped(3) }, { a: 1 })).toEqual(['confirmed', 'unsettled']));
  test('and keeps raising it', () =>
    expect(statesAfter({ a: dropped(5), b: dropped(3) }, { a: 4, b: 1 })).toEqual(['confirmed', 'confirmed']));
  test('among many needs two earlier nights', () => {
    const drops = (size: number) => Object.fromEntries(Array.from({ length: size }, (_, at) => [`c${at}`, dropped(4)]));
    expect(statesAfter(drops(19), { c3: 1 })[3]).toBe('confirmed');
    expect(statesAfter(drops(20), { c3: 1 })[3]).toBe('unsettled');
    expect(statesAfter(drops(20), { c3: 2 })).toEqual(
      Array.from({ length: 20 }, (_, at) => (at === 3 ? 'confirmed' : 'unsettled')),
    );
  });
  test('is not what a risen threshold is: nothing passes at its old value, whatever passes at the new one', () => {
    const fresh = { suspicion: 'regression', passed: 0, total: 8, pValue: null } as const;
    const threshold = { value: 2048, last_failing: 1024, monotonic: true, curve: [[1024, 0, 9] as const] };
    const risen: Finding = { ...findingOf([passing]), surprise: 'confirmed', fresh, threshold };
    expect(statesAfter({ a: risen, b: risen, c: dropped(3) }, {})).toEqual(['confirmed', 'confirmed', 'confirmed']);
    const less: Finding = { ...risen, fresh: { ...fresh, passed: 4 } };
    expect(statesAfter({ a: less, b: less }, {})).toEqual(['unsettled', 'unsettled']);
  });
  test('raises an alarm if the night before is not known', () =>
    expect(statesAfter({ a: dropped(5), b: dropped(3) }, null)).toEqual(['confirmed', 'confirmed']));
});

test('a cell that no longer passes at all raises an alarm at once, however many cells drop', () => {
  expect(statesAfter({ a: dropped(0), b: dropped(5), c: dropped(3) }, {})).toEqual([
    'confirmed',
    'unsettled',
    'unsettled',
  ]);
});

test('improvements are not put off', () => {
  const better = { ...dropped(5), fresh: { suspicion: 'improvement', passed: 5, total: 5, pValue: null } } as const;
  expect(statesAfter({ a: better, b: dropped(5), c: dropped(3) }, {})[0]).toBe('confirmed');
});
