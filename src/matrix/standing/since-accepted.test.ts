import { expect, test } from 'vitest';
import { aFinding, anEntry, aTicket } from '../../../test/support/build.js';
import type { Expected } from '../../baseline/entries.js';
import type { Learned } from '../../baseline/learned.js';
import { ticketAfter } from '../../plan/plan-after.js';
import { asExpected, type CellStanding, notJudged } from './apparent-standing.js';
import { learnedSince, sinceAccepted } from './since-accepted.js';

const accepted: Expected = { kind: 'pass', threshold: null, trials: 10 };
const since = 'pass, 10';
const regression: CellStanding = { standing: 'regression', unsettled: false };

/** What is known after a night of a cell, with what was known before it. */
function after(
  learned: Learned | undefined,
  counts: readonly [number, number],
  stands: CellStanding = asExpected,
  expected: Expected = accepted,
) {
  const cell = aTicket({ expected });
  const before = { learned: new Map(learned ? [[cell.cell.key, learned]] : []), confirmed: null };
  const counted = sinceAccepted(ticketAfter(cell, before), aFinding(...counts), stands, learned);
  return counted && learnedSince(counted, stands);
}

test('night by night, all trials are added to those that the cell was accepted from', () => {
  expect(after(undefined, [1, 0])).toEqual({ since, passed: 11, total: 11 });
  expect(after({ since, passed: 11, total: 11 }, [9, 1])).toEqual({ since, passed: 20, total: 21 });
});

test('nothing of a night in which it was not judged', () => {
  expect(after({ since, passed: 11, total: 11 }, [0, 0], notJudged)).toEqual({ since, passed: 11, total: 11 });
});

test('nor of one in which it is an alarm, or one that waits for the next night', () => {
  const before = { since, passed: 30, total: 30 };
  expect(after(before, [0, 7], regression)).toEqual(before);
  const waits = { ...regression, unsettled: true, waits: true, drop: { passed: 30, total: 60 } } as const;
  expect(after(before, [30, 31], waits)).toEqual(before);
});

test('a drop that luck may explain is held until it is over, and then counted', () => {
  const drop = { passed: 42, total: 60 };
  const held = after({ since, passed: 13, total: 13 }, [42, 19], { ...regression, unsettled: true, drop });
  expect(held).toEqual({ since, passed: 13, total: 13, held: drop });
  expect(after(held!, [1, 0])).toEqual({ since, passed: 56, total: 74 });
  // An alarm in its place says that the cell has changed, and not since when.
  expect(after(held!, [10, 20], { ...regression, drop: { passed: 52, total: 90 } })).toEqual({
    ...{ since, passed: 13, total: 13 },
  });
});

test('a cell that is accepted anew begins again, and only those accepted from enough passes are counted', () => {
  const other = { since: 'pass, 24', passed: 70, total: 80 };
  expect(after(other, [1, 0])).toEqual({ since, passed: 11, total: 11 });
  const uncounted: readonly Expected[] = [
    { kind: 'new' },
    { kind: 'pass', threshold: null },
    { kind: 'pass', threshold: null, trials: 3 },
    { kind: 'pass', threshold: 512, trials: 10 },
    { ...anEntry({ verdict: 'flaky', passed: 7, total: 10 }), trials: 10 },
  ];
  for (const expected of uncounted) expect(after(undefined, [1, 0], asExpected, expected)).toBeNull();
});
