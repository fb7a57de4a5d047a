import { describe, expect, test } from 'vitest';
import {
  anEntry,
  aTicket,
  countedTrials,
  expectedPass,
  failing,
  faulty,
  passing,
  sequentialTrials,
} from '../../../test/support/build.js';
import { randomFrom } from '../../../test/support/random.js';
import { conclude, inTurn } from '../../../test/support/run-course.js';
import type { Outcome } from '../../judge/outcome.js';
import type { Ticket } from '../../plan/ticket.js';
import { probabilityOfFewer } from '../../stats/exact-test.js';
import { coursesFor } from './courses.js';

const courses = coursesFor({ plannedCells: 720 });
const quietly = { confirm: false };
const always = (outcome: Outcome) => () => outcome;

describe('fixed', () => {
  test('asks its number of trials in one batch, each with the next sample', () => {
    const { asks, batches } = conclude(courses.fixed, aTicket({ trials: countedTrials(3) }), always(passing));
    expect(batches).toEqual([3]);
    expect(asks.map(({ kind, sample }) => [kind, sample])).toEqual([
      ['trial', 0],
      ['trial', 1],
      ['trial', 2],
    ]);
  });

  test('takes more trials than a call may have arguments', () => {
    const count = 300_000;
    const answers = (_ask: unknown, index: number): Outcome => (index % 3 === 0 ? failing : passing);
    const { finding } = conclude(courses.fixed, aTicket({ trials: countedTrials(count), ...quietly }), answers);
    expect(finding).toMatchObject({ rung: 'present', trials: { total: count, passed: 200_000 } });
  });

  test('a fault is replaced by the next sample and counted separately', () => {
    const { finding, asks } = conclude(courses.fixed, aTicket({ trials: countedTrials(2) }), inTurn(faulty, passing));
    expect(asks.map(({ sample }) => sample)).toEqual([0, 1, 2]);
    expect(finding).toMatchObject({ verdict: 'pass', trials: { total: 2, passed: 2, faults: 1 }, needed: 0 });
  });

  test('a cell with nothing but faults is no longer asked, and the missing trials are counted', () => {
    const { finding, asks } = conclude(courses.fixed, aTicket(), always(faulty));
    expect(asks).toHaveLength(2);
    expect(finding).toMatchObject({ verdict: 'inconclusive', class: 'transport', needed: 1, surprise: null });
  });

  test('a trial that failed because of an unpaid bill is not repeated', () => {
    const unpaid = { ...faulty, class: 'http_error', reason: 'quota', status: 429 } as const;
    expect(conclude(courses.fixed, aTicket(), always(unpaid)).asks).toHaveLength(1);
  });

  test('it concludes from the answers it has when no more arrive', () => {
    const answer = (_: unknown, index: number) => (index < 2 ? passing : undefined);
    const { finding } = conclude(courses.fixed, aTicket({ trials: countedTrials(5) }), answer);
    expect(finding).toMatchObject({ verdict: 'pass', trials: { total: 2 }, needed: 3 });
  });
});

describe('sequential', () => {
  const decided = { trials: sequentialTrials, course: 'sequential', ...quietly } as const;

  test('ten straight passes', () => {
    const { finding, asks } = conclude(courses.sequential, aTicket(decided), always(passing));
    expect(asks).toHaveLength(10);
    expect(finding).toMatchObject({ verdict: 'pass', needed: 0 });
  });

  test('two straight failures', () => {
    const { finding, batches } = conclude(courses.sequential, aTicket(decided), always(failing));
    expect(batches).toEqual([2]);
    expect(finding).toMatchObject({ verdict: 'fail', needed: 0 });
  });

  test('the test decides when to stop, and the outcomes decide the verdict', () => {
    const { finding } = conclude(
      courses.sequential,
      aTicket(decided),
      inTurn(failing, ...Array<Outcome>(30).fill(passing)),
    );
    expect(finding).toMatchObject({ verdict: 'flaky', trials: { passed: 16, total: 17 } });
  });

  test("at least the probe's number", () => {
    const thirty = aTicket({ ...decided, probe: { trials: countedTrials(30) } });
    expect(conclude(courses.sequential, thirty, always(passing)).asks).toHaveLength(30);
    expect(conclude(courses.sequential, thirty, always(failing)).asks).toHaveLength(30);
  });

  test('undecided at the maximum, the finding says how many more trials are needed', () => {
    const undecided = (_: unknown, index: number) => (index % 7 === 3 ? failing : passing);
    const { finding, asks } = conclude(
      courses.sequential,
      aTicket({ ...decided, trials: { ...sequentialTrials, max: 21 } }),
      undecided,
    );
    expect(asks).toHaveLength(21);
    expect(finding.verdict).toBe('flaky');
    expect(finding.needed).toBeGreaterThan(0);
  });
});

describe('a covered cell that fails', () => {
  test('and never passes again: an alarm after seven requests', () => {
    const { finding, asks } = conclude(courses.fixed, aTicket(), always(failing));
    expect(asks).toHaveLength(7);
    expect(finding).toMatchObject({
      verdict: 'fail',
      surprise: 'confirmed',
      fresh: { suspicion: 'regression', passed: 0, total: 6, pValue: null },
    });
  });

  test('by chance: cleared and flaky, and the fresh sample excludes the failure that led to it', () => {
    const { finding } = conclude(courses.fixed, aTicket(), inTurn(failing, passing));
    expect(finding).toMatchObject({
      verdict: 'flaky',
      trials: { passed: 16, total: 17 },
      surprise: 'cleared',
      fresh: { passed: 16, total: 16 },
    });
  });

  test('the more cells are planned, the stronger the evidence must be', () => {
    const few = conclude(coursesFor({ plannedCells: 1 }).fixed, aTicket(), always(failing));
    const many = conclude(coursesFor({ plannedCells: 100_000 }).fixed, aTicket(), always(failing));
    expect(few.finding.fresh?.total).toBe(2);
    expect(many.finding.fresh?.total).toBe(9);
  });

  test('now and then: unsettled after sixty fresh trials', () => {
    const every7th = (_: unknown, index: number) => (index % 7 === 0 ? failing : passing);
    const { finding } = conclude(courses.fixed, aTicket(), every7th);
    expect(finding).toMatchObject({ surprise: 'unsettled', fresh: { total: 60 } });
  });

  test('a failure among many passes needs no fresh sample', () => {
    const answers = [...Array<Outcome>(19).fill(passing), failing];
    const { finding, asks } = conclude(courses.fixed, aTicket({ trials: countedTrials(20) }), inTurn(...answers));
    expect(asks).toHaveLength(20);
    expect(finding).toMatchObject({ surprise: 'cleared', fresh: { total: 0 } });
  });

  test('a budget that ends leaves it unsettled, and the missing trials are counted', () => {
    const answer = (_: unknown, index: number) => (index < 3 ? failing : undefined);
    const { finding } = conclude(courses.fixed, aTicket(), answer);
    expect(finding).toMatchObject({ surprise: 'unsettled', needed: 4, fresh: { total: 2 } });
  });

  test('smoke and --trials take no fresh sample', () => {
    const { finding, asks } = conclude(courses.fixed, aTicket(quietly), always(failing));
    expect(asks).toHaveLength(1);
    expect(finding).toMatchObject({ verdict: 'fail', surprise: null, fresh: null });
  });

  test('a cell that the baseline does not cover only needs to be decided', () => {
    const { finding, asks } = conclude(courses.fixed, aTicket({ expected: { kind: 'new' } }), always(failing));
    expect(asks).toHaveLength(3);
    expect(finding).toMatchObject({ surprise: 'confirmed', fresh: { suspicion: 'new' } });
  });
});

describe('a cell that dropped in the run before', () => {
  const dropped = aTicket({ dropped: true });

  test('is asked until it is clear again even if its trial passes', () => {
    const { finding, asks } = conclude(courses.fixed, dropped, always(passing));
    expect(asks).toHaveLength(10);
    expect(finding).toMatchObject({ verdict: 'pass', surprise: 'cleared', fresh: { passed: 9, total: 9 } });
  });

  test('and still fails often, though not in the first trial, is confirmed', () => {
    const every2nd = (_: unknown, index: number) => (index % 2 === 1 ? failing : passing);
    expect(conclude(courses.fixed, dropped, every2nd).finding).toMatchObject({
      surprise: 'confirmed',
      fresh: { suspicion: 'regression' },
    });
  });

  test('and cannot be asked again is as its trials show', () => {
    const { finding } = conclude(courses.fixed, dropped, (_, index) => (index === 0 ? passing : undefined));
    expect(finding).toMatchObject({ verdict: 'pass', surprise: null, fresh: null });
  });

  test('is asked up to twenty times where the baseline calls it flaky, until no alarm can come of it', () => {
    const flaky = aTicket({ dropped: true, expected: anEntry({ verdict: 'flaky', passed: 18, total: 20 }) });
    expect(conclude(courses.fixed, flaky, always(failing)).asks).toHaveLength(21);
    const { finding, asks } = conclude(courses.fixed, flaky, always(passing));
    expect([asks.length, finding.surprise]).toEqual([12, 'cleared']);
  });

  test('is not asked again by smoke and --trials', () =>
    expect(conclude(courses.fixed, aTicket({ ...quietly, dropped: true }), always(passing)).asks).toHaveLength(1));
});

describe('a covered cell that may have been lucky when it was accepted', () => {
  const everySecond = (_ask: unknown, index: number) => (index % 2 === 0 ? failing : passing);

  test('is asked as often as a fresh sample may, so that its rate is known', () => {
    const known = aTicket({ expected: { kind: 'pass', threshold: null, trials: 10 } });
    const { finding } = conclude(courses.fixed, known, everySecond);
    expect(finding).toMatchObject({ surprise: 'confirmed', fresh: { suspicion: 'regression', total: 60 } });
    // Where the line states no trials, somebody vouches for the cell, and the alarm needs no more.
    expect(conclude(courses.fixed, aTicket(), everySecond).finding.fresh!.total).toBeLessThan(60);
  });

  test('and is known at once when it no longer passes', () => {
    const known = aTicket({ expected: { kind: 'pass', threshold: null, trials: 10 } });
    const asked = (ticket: Ticket) => conclude(courses.fixed, ticket, always(failing)).asks.length;
    expect(asked(known)).toBe(asked(aTicket()));
  });
});

describe('a cell that is known to fail', () => {
  const known = aTicket({ expected: anEntry({ class: 'not_json', status: 200 }) });

  test('and fails as known: no fresh sample', () => {
    const { finding, asks } = conclude(courses.fixed, known, always(failing));
    expect(asks).toHaveLength(1);
    expect(finding).toMatchObject({ surprise: null, fresh: null });
  });

  test('and passes now: an improvement after a row that is as clear as a regression, and that is called reliable', () => {
    const { finding, asks } = conclude(courses.fixed, known, always(passing));
    expect(asks).toHaveLength(11);
    expect(finding).toMatchObject({
      surprise: 'confirmed',
      fresh: { suspicion: 'improvement', passed: 10, total: 10 },
    });
    const many = conclude(coursesFor({ plannedCells: 1e9 }).fixed, known, always(passing));
    expect(many.finding.fresh?.total).toBe(14);
  });

  test('and passes but for one trial: an improvement as soon as that is called reliable', () => {
    const { finding } = conclude(courses.fixed, known, inTurn(passing, passing, failing, passing));
    expect(finding).toMatchObject({ surprise: 'confirmed', fresh: { passed: 16, total: 17 } });
  });

  test('and passes once: cleared', () => {
    const { finding } = conclude(courses.fixed, known, inTurn(passing, failing));
    expect(finding).toMatchObject({ surprise: 'cleared', verdict: 'flaky', trials: { passed: 1 } });
  });

  test('and passes every second time: cleared, since it still fails', () => {
    const { finding } = conclude(courses.fixed, known, (_, index) => (index % 2 === 0 ? passing : failing));
    expect(finding).toMatchObject({ surprise: 'cleared', verdict: 'flaky', fresh: { suspicion: 'improvement' } });
  });

  test('and passes nearly always: an improvement; six times in ten: hardly ever', () => {
    const random = randomFrom(5);
    const improved = (rate: number) =>
      Array.from({ length: 500 }, () =>
        conclude(courses.fixed, known, () => (random() < rate ? passing : failing)),
      ).filter(({ finding }) => finding.surprise === 'confirmed').length / 500;
    expect(improved(0.98)).toBeGreaterThan(0.95);
    expect(improved(0.6)).toBeLessThan(0.02);
  });

  describe('from few trials', () => {
    const few = (pooled?: { passed: number; total: number }) =>
      aTicket({ expected: { ...anEntry({ provisional: true }), trials: 3, ...(pooled && { pooled }) } });

    test('and passes now: as long a row as for the least known cell', () => {
      const { finding } = conclude(courses.fixed, few(), always(passing));
      expect(finding).toMatchObject({ surprise: 'confirmed', fresh: { suspicion: 'improvement', total: 34 } });
    });

    test('and has passed at times since: only a row that the known rate does not explain', () => {
      const { finding } = conclude(courses.fixed, few({ passed: 6, total: 14 }), always(passing));
      expect(finding).toMatchObject({ surprise: 'confirmed', fresh: { suspicion: 'improvement' } });
      const often = conclude(courses.fixed, few({ passed: 13, total: 14 }), always(passing));
      expect(often.asks).toHaveLength(1);
    });

    test('and fails in another way: trials since then do not shorten the row, since each may have failed so', () => {
      const rowOf = (ticket: Ticket) => conclude(courses.fixed, ticket, always(elsewhere)).finding.fresh;
      const alone = rowOf(few());
      expect(alone).toMatchObject({ suspicion: 'changed', total: 17 });
      expect(rowOf(few({ passed: 0, total: 40 }))).toEqual(alone);
    });
  });

  const elsewhere: Outcome = { ...failing, class: 'truncated' };
  test('and fails in another way: changed, after a row too long for a cell that fails the old way every second time', () => {
    const { finding } = conclude(courses.fixed, known, always(elsewhere));
    expect(finding).toMatchObject({
      surprise: 'confirmed',
      class: 'truncated',
      fresh: { suspicion: 'changed', total: 14 },
    });
  });

  test('and fails in another way once: cleared by the first trial that fails as known', () => {
    const { finding, asks } = conclude(courses.fixed, known, inTurn(elsewhere, failing));
    expect(asks).toHaveLength(2);
    expect(finding.surprise).toBe('cleared');
  });

  test('what the entry leaves out is not compared', () => {
    const open = aTicket({ expected: anEntry({ class: 'not_json', status: null }) });
    expect(conclude(courses.fixed, open, always(failing)).asks).toHaveLength(1);
  });
});

describe('a cell that the baseline calls flaky', () => {
  const flaky = aTicket({ expected: anEntry({ verdict: 'flaky', passed: 14, total: 20 }) });

  test('and passes as it often does: the first fresh failure clears it', () => {
    const half = aTicket({ expected: anEntry({ verdict: 'flaky', passed: 5, total: 10 }) });
    const { finding, asks } = conclude(courses.fixed, half, inTurn(passing, failing));
    expect(asks).toHaveLength(2);
    expect(finding).toMatchObject({ surprise: 'cleared', fresh: { suspicion: 'improvement', total: 1 } });
  });

  test('and passes, though it passed so often that no row proves anything: no fresh sample', () => {
    const often = aTicket({ expected: anEntry({ verdict: 'flaky', passed: 19, total: 20 }) });
    expect(conclude(courses.fixed, often, always(passing)).asks).toHaveLength(1);
  });

  test('and fails: twenty fresh trials, and the p-value of the exact test', () => {
    const { finding, asks } = conclude(courses.fixed, flaky, always(failing));
    expect(asks).toHaveLength(21);
    expect(finding).toMatchObject({ surprise: 'confirmed', fresh: { suspicion: 'regression', passed: 0, total: 20 } });
    expect(finding.fresh?.pValue).toBeCloseTo(230230 / 137846528820, 12);
  });

  test('and is as flaky as ever: cleared', () => {
    const asBefore = (_: unknown, index: number) => (index % 10 < 3 ? failing : passing);
    const { finding } = conclude(courses.fixed, flaky, asBefore);
    expect(finding.surprise).toBe('cleared');
    expect(finding.fresh?.pValue).toBeGreaterThan(0.05);
  });

  test('and fails no more often than is known: not asked on once no alarm can come of it', () => {
    const half = aTicket({ expected: anEntry({ verdict: 'flaky', passed: 4, total: 10 }) });
    const { finding, asks } = conclude(courses.fixed, half, inTurn(failing, failing, passing, failing));
    expect(asks).toHaveLength(3);
    expect(finding).toMatchObject({ surprise: 'cleared', fresh: { passed: 1, total: 2 } });
    expect(finding.fresh?.pValue).toBeGreaterThan(0.01);
  });

  test.each([
    [14, 20],
    [9, 10],
    [29, 30],
    [4, 10],
    [3, 10],
  ])('of %d of %d: the shorter sample concludes as all twenty trials would', (passed, total) => {
    const random = randomFrom(passed);
    for (const rate of [0.1, 0.3, 0.5, 0.7, 0.9]) {
      for (let attempt = 0; attempt < 100; attempt += 1) {
        const answers = [failing, ...Array.from({ length: 20 }, () => (random() < rate ? passing : failing))];
        const ticket = aTicket({ expected: anEntry({ verdict: 'flaky', passed, total }) });
        const { finding } = conclude(courses.fixed, ticket, inTurn(...answers));
        const passes = answers.slice(1).filter((answer) => answer === passing).length;
        const pValue = probabilityOfFewer({ passed: passes, total: 20 }, { passed, total });
        expect(finding.surprise).toBe(pValue <= 0.01 ? 'confirmed' : 'cleared');
      }
    }
  });

  test('and never fails any more: an improvement after a long row, of which few are asked at first', () => {
    const rarely = anEntry({ verdict: 'flaky', passed: 8, total: 20 });
    const { finding, batches } = conclude(courses.fixed, aTicket({ expected: rarely }), always(passing));
    expect(finding).toMatchObject({
      surprise: 'confirmed',
      fresh: { suspicion: 'improvement', passed: 34, total: 34 },
    });
    expect(batches).toEqual([1, 1, 2, 4, 8, 16, 3]);
  });

  test('without counts there is nothing to compare', () => {
    const uncounted = aTicket({ expected: anEntry({ verdict: 'flaky' }) });
    expect(conclude(courses.fixed, uncounted, always(failing)).finding.surprise).toBeNull();
  });

  test('a sample that cannot be completed gives no p-value', () => {
    const answer = (_: unknown, index: number) => (index < 10 ? failing : undefined);
    expect(conclude(courses.fixed, flaky, answer).finding).toMatchObject({
      surprise: 'unsettled',
      needed: 11,
      fresh: { pValue: null },
    });
  });
});

test('a sequential course asks as the trials of the probe say', () => {
  expect(conclude(courses.sequential, aTicket({ trials: countedTrials(4) }), always(passing)).asks).toHaveLength(4);
  expect(conclude(courses.sequential, aTicket({ trials: sequentialTrials }), always(passing)).asks).toHaveLength(10);
  expect(conclude(courses.sequential, aTicket({ expected: expectedPass }), always(failing)).finding.surprise).toBe(
    'confirmed',
  );
});
