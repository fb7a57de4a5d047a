import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  anEntry,
  aTicket,
  countedTrials,
  failing,
  faulty,
  passing,
  sequentialTrials,
} from '../../test/support/build.js';
import { conclude } from '../../test/support/run-course.js';
import type { Expected } from '../baseline/entries.js';
import type { Outcome } from '../judge/outcome.js';
import type { CourseName, Ticket } from '../plan/ticket.js';
import { courseCost, coursesFor } from './courses/courses.js';

const enforceSpec = {
  keyword: 'enum',
  schema: { properties: { a: { const: 1 } } },
  valid: { a: 1 },
  invalid: { a: 2 },
};
const outcomes: readonly Outcome[] = [
  passing,
  failing,
  faulty,
  { ...passing, value: { a: 1 } },
  { ...passing, value: { a: 2 } },
  { ...failing, class: 'truncated' },
  { ...failing, class: 'http_error', reason: 'schema_rejected', status: 400 },
  { ...faulty, class: 'http_error', reason: 'quota', status: 429 },
];
const expectations: readonly Expected[] = [
  { kind: 'new' },
  { kind: 'pass', threshold: null },
  { kind: 'pass', threshold: 100 },
  anEntry({}),
  { kind: 'pass', threshold: null, trials: 1 },
  { kind: 'pass', threshold: 100, trials: 1 },
  { kind: 'pass', threshold: null, trials: 1, pooled: { passed: 12, total: 14 } },
  { ...anEntry({ provisional: true }), trials: 1 },
  { ...anEntry({ verdict: 'flaky', passed: 1, total: 2 }), trials: 2 },
  anEntry({ class: 'not_enforced', status: null }),
  anEntry({ verdict: 'flaky', passed: 14, total: 20 }),
  anEntry({ verdict: 'flaky', passed: 1, total: 20 }),
];
const names: readonly CourseName[] = ['fixed', 'sequential', 'find', 'enforce'];

const tickets: fc.Arbitrary<Ticket> = fc
  .record({
    course: fc.constantFrom(...names),
    expected: fc.constantFrom(...expectations),
    trials: fc.oneof(fc.integer({ min: 1, max: 12 }).map(countedTrials), fc.constant(sequentialTrials)),
    confirm: fc.boolean(),
  })
  .map((over) =>
    aTicket({
      ...over,
      probe: {
        find: over.course === 'find' ? { axis: 'max_tokens', from: 16, to: 4096, tolerance: 0.125 } : null,
        enforce: over.course === 'enforce' ? enforceSpec : null,
      },
    }),
  );

const from = (stream: fc.Stream<Outcome | undefined>) => stream.next().value as Outcome | undefined;
const planned = fc.integer({ min: 1, max: 5000 });

test('whatever the answers, every course ends, asks no more than its cost, and counts no more trials than it received', () => {
  const stream = fc.infiniteStream(fc.option(fc.constantFrom(...outcomes), { nil: undefined, freq: 60 }));
  fc.assert(
    fc.property(tickets, planned, stream, (of, plannedCells, answers) => {
      const course = coursesFor({ plannedCells })[of.course];
      const { finding, asks } = conclude(course, of, () => from(answers));
      // Each batch may be followed by two that replace faults.
      const most = courseCost(of).largest;
      expect(asks.length).toBeLessThanOrEqual(3 * most);
      const { total, passed, faults, interval } = finding.trials;
      expect(total).toBeLessThanOrEqual(most);
      expect(total + faults).toBeLessThanOrEqual(asks.length);
      expect(passed).toBeLessThanOrEqual(total);
      expect(interval[0]).toBeLessThanOrEqual(interval[1]);
      if (finding.verdict === 'pass') expect(finding.class).toBeNull();
      if (finding.verdict === 'fail') expect(total).toBeGreaterThan(0);
      if (!of.confirm) expect(finding.surprise).toBeNull();
    }),
    { numRuns: 1000 },
  );
});

test('no two asks of a course are the same', () => {
  const stream = fc.infiniteStream(fc.constantFrom(...outcomes));
  fc.assert(
    fc.property(tickets, planned, stream, (of, plannedCells, answers) => {
      const { asks } = conclude(coursesFor({ plannedCells })[of.course], of, () => from(answers));
      expect(new Set(asks.map((ask) => JSON.stringify(ask))).size).toBe(asks.length);
    }),
  );
});

test('temporary faults change neither the verdict nor whether a difference is confirmed', () => {
  const judged = fc.array(fc.constantFrom(passing, failing), { minLength: 140, maxLength: 140 });
  const plain = tickets.filter(({ course }) => course !== 'find' && course !== 'enforce');
  // Rare enough that the replacement of a replacement is never a fault.
  const period = fc.integer({ min: 7, max: 20 });
  fc.assert(
    fc.property(plain, judged, period, (of, list, every) => {
      const course = coursesFor({ plannedCells: 720 })[of.course];
      const answers = () => {
        const rest = [...list];
        return () => rest.shift() ?? passing;
      };
      const next = answers();
      const undisturbed = conclude(course, of, answers()).finding;
      const disturbed = conclude(course, of, (_, index) => (index % every === 0 ? faulty : next())).finding;
      expect(disturbed.verdict).toBe(undisturbed.verdict);
      expect(disturbed.surprise).toBe(undisturbed.surprise);
      expect(disturbed.fresh).toEqual(undisturbed.fresh);
      expect(disturbed.trials).toEqual({ ...undisturbed.trials, faults: disturbed.trials.faults });
      expect(disturbed.trials.faults).toBeGreaterThan(0);
    }),
  );
});

test('the order of arrival within a batch changes no verdict', () => {
  const batch = fc
    .array(fc.constantFrom(passing, failing, faulty), { minLength: 1, maxLength: 12 })
    .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));
  fc.assert(
    fc.property(batch, ([one, other]) => {
      const of = aTicket({ trials: countedTrials(one.length), confirm: false });
      const { fixed } = coursesFor({ plannedCells: 720 });
      const verdictOf = (list: readonly Outcome[]) => conclude(fixed, of, (_, index) => list[index]).finding.verdict;
      expect(verdictOf(other)).toBe(verdictOf(one));
    }),
  );
});
