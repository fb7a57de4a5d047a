import { describe, expect, test } from 'vitest';
import { randomFrom } from '../../test/support/random.js';
import { flip } from '../../test/worlds/nights/simulated-cell.js';
import { aFinding, aTicket, countedTrials, sequentialTrials } from '../../test/support/build.js';
import type { DoubtOutcome } from '../cell/verdict.js';
import type { Finding, Suspicion } from '../decide/course.js';
import { coursesFor } from '../decide/courses/courses.js';
import { rateChangesOf } from '../matrix/standing/rate-changes.js';
import { expectedCell, standingOf } from '../matrix/standing/standing.js';
import type { Ticket } from '../plan/ticket.js';
import { acceptRun, keptCells } from './accept-run.js';
import type { AcceptedCell } from './accepted-run.js';
import type { Baseline, Expected } from './entries.js';
import { expectedOf } from './expected.js';
import { knowledgeOf } from './knowledge.js';
import { readBaseline } from './load-baseline.js';

const key = 'suite/probe@demo/one';
const plannedCells = 60;
const today = '2026-11-20';

const fails = (more: string) => `  - { key: ${key}, date: 2026-01-01, ${more} }`;
const baselines: Readonly<Record<string, string>> = {
  nothing: 'covers: []\nexpect: []',
  'a pass, from one trial': `covers:\n  - { cells: ${key}, trials: 1 }\nexpect: []`,
  'a pass, from twelve trials': `covers:\n  - { cells: ${key}, trials: 12 }\nexpect: []`,
  'a pass, as older files say it': `covers: [${key}]\nexpect: []`,
  'this failure': `covers: [${key}]\nexpect:\n${fails('verdict: fail, class: not_json, status: 200')}`,
  'this failure, from one trial': `covers:\n  - { cells: ${key}, trials: 1 }\nexpect:\n${fails('verdict: fail, class: not_json, status: 200, provisional: true')}`,
  'another failure': `covers: [${key}]\nexpect:\n${fails('verdict: fail, class: http_error, reason: unknown, status: 400')}`,
  'a high rate': `covers: [${key}]\nexpect:\n${fails('verdict: flaky, class: not_json, passed: 19, total: 20')}`,
  'a low rate': `covers: [${key}]\nexpect:\n${fails('verdict: flaky, class: not_json, passed: 2, total: 20')}`,
  'a rate from two trials': `covers: [${key}]\nexpect:\n${fails('verdict: flaky, class: not_json, passed: 1, total: 2, provisional: true')}`,
};

const failure = { class: 'not_json', reason: null, status: 200 } as const;
const results: Readonly<Record<string, readonly [number, number]>> = {
  'one pass': [1, 0],
  'twenty passes': [20, 0],
  'one failure': [0, 1],
  'two failures': [0, 2],
  'nine failures': [0, 9],
  'passes and fails': [4, 3],
  'passes mostly': [50, 10],
  'fails mostly': [2, 30],
};

const surprises: readonly DoubtOutcome[] = [null, 'confirmed', 'unsettled'];

const read = async (text: string): Promise<Baseline> => {
  const { baseline, problems } = await readBaseline(`format: chatspec-baseline/1\n${text}\n`, 'baseline.yaml');
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  return baseline!;
};

function suspicionOf(expected: Expected, { trials: { passed, total } }: Finding): Suspicion {
  if (expected.kind === 'new') return 'new';
  if (expected.kind === 'pass') return 'regression';
  if (expected.entry.verdict === 'fail') return passed > 0 ? 'improvement' : 'changed';
  return passed / total < (expected.entry.passed ?? 0) / (expected.entry.total ?? 1) ? 'regression' : 'improvement';
}

/** How a report states the cell. */
function stated(expected: Expected, finding: Finding, surprise: DoubtOutcome): AcceptedCell {
  const ticket = aTicket({ expected, confirm: surprise !== null });
  const pValue = expected.kind === 'entry' && expected.entry.verdict === 'flaky' ? 1e-9 : null;
  const { passed, total } = finding.trials;
  const fresh = surprise === null ? null : { suspicion: suspicionOf(expected, finding), passed, total, pValue };
  const found = { ...finding, surprise, fresh };
  const change = rateChangesOf([ticket], new Map([[key, found]])).get(key) ?? null;
  const before = knowledgeOf(expected);
  const known = before && { passed: before.passed + passed, total: before.total + total };
  return {
    ...{ key, model: 'demo/one', verdict: finding.verdict, trials: finding.trials, threshold: null },
    ...{ class: finding.class, reason: finding.reason, status: finding.status },
    ...standingOf(ticket, found, plannedCells, change),
    expected: expectedCell(expected),
    ...(known && { known }),
  };
}

/** The same trials, compared with another baseline. */
function comparedWith(expected: Expected, finding: Finding): string | null {
  const ticket = aTicket({ expected, confirm: false });
  const change = rateChangesOf([ticket], new Map([[key, finding]])).get(key) ?? null;
  const { standing, unsettled } = standingOf(ticket, finding, plannedCells, change);
  return unsettled ? null : standing;
}

const accepted = async (cell: AcceptedCell, baseline: Baseline, only: string | null) => {
  const report = { run: { complete: true, profile: 'standard' }, cells: [cell] };
  const text = acceptRun(report, baseline, { only, today });
  const { baseline: after } = await readBaseline(text, 'baseline.yaml');
  return { text, after: after!, kept: keptCells(report, baseline, { only, today }) };
};

describe('a cell accepted by name', () => {
  const cases = Object.keys(baselines).flatMap((known) =>
    Object.keys(results).flatMap((result) =>
      surprises
        // What passes as expected is no surprise.
        .filter((surprise) => surprise === null || !known.startsWith('a pass') || results[result]![1] > 0)
        .map((surprise) => ({ known, result, surprise })),
    ),
  );

  test.each(cases)('the baseline knows $known, now $result ($surprise)', async ({ known, result, surprise }) => {
    const [passed, failed] = results[result]!;
    const finding = aFinding(passed, failed, { failure });
    const baseline = await read(baselines[known]!);
    const expected = expectedOf(baseline, key);
    const cell = stated(expected, finding, surprise);
    const { text, after, kept } = await accepted(cell, baseline, key);
    const line = expectedOf(after, key);

    // The same trials raise no alarm any more, and the file says nothing that was not seen.
    expect(line.kind).not.toBe('new');
    expect(['as_expected', null]).toContain(comparedWith(line, finding));
    if (line.kind === 'pass') expect(failed).toBe(0);
    if (line.kind === 'entry' && line.entry.verdict === 'fail') expect(passed).toBe(0);
    if (kept.length > 0) expect(after.expect).toEqual(baseline.expect);
    expect(kept).toEqual(kept.length === 0 ? [] : [{ cell: key, because: 'holds' }]);

    // Accepting it again changes nothing.
    expect((await accepted(cell, after, key)).text).toBe(text);
  });

  test.each<[string, string, readonly [number, number], DoubtOutcome, string]>([
    ['pools what was known', 'a pass, from one trial', [4, 3], 'unsettled', 'flaky, not_json, 5 of 8, provisional'],
    ['pools what was known, settled or not', 'a pass, from one trial', [8, 9], 'confirmed', 'flaky, not_json, 9 of 18'],
    [
      'a well known cell that now fails in part',
      'a pass, from twelve trials',
      [50, 10],
      'unsettled',
      'flaky, not_json, 50 of 60',
    ],
    [
      'a failure that was not settled',
      'a pass, from twelve trials',
      [0, 1],
      'unsettled',
      'flaky, not_json, 1 of 2, provisional',
    ],
    ['a failure that was confirmed', 'a pass, from one trial', [0, 12], 'confirmed', 'fail, not_json'],
    ['a pass that was not settled', 'this failure', [1, 0], 'unsettled', 'flaky, not_json, 1 of 2, provisional'],
    ['an improvement', 'this failure', [9, 0], 'confirmed', 'pass'],
    ['a new cell that is flaky', 'nothing', [4, 3], null, 'flaky, not_json, 4 of 7, provisional'],
    ['another failure', 'another failure', [0, 1], 'unsettled', 'fail, not_json, provisional'],
  ])('%s', async (_, known, [passed, failed], surprise, written) => {
    const baseline = await read(baselines[known]!);
    const cell = stated(expectedOf(baseline, key), aFinding(passed, failed, { failure }), surprise);
    const line = expectedOf((await accepted(cell, baseline, key)).after, key);
    const said =
      line.kind === 'entry'
        ? [
            line.entry.verdict,
            line.entry.class,
            ...(line.entry.total === null ? [] : [`${line.entry.passed} of ${line.entry.total}`]),
            ...(line.entry.provisional ? ['provisional'] : []),
          ].join(', ')
        : line.kind;
    expect(said).toBe(written);
  });

  test('a cell that passes today and failed in an earlier night is flaky', async () => {
    const baseline = await read(baselines['a pass, from one trial']!);
    const cell = {
      ...stated(expectedOf(baseline, key), aFinding(1, 0), null),
      ...{ standing: 'as_expected' as const, known: { passed: 6, total: 9 } },
    };
    expect((await accepted(cell, baseline, key)).text).toContain('verdict: flaky, passed: 6, total: 9');
    expect((await accepted(cell, baseline, null)).text).toBe(baseline.text);
  });

  test.each(['blocked', 'inconclusive', 'not_run'] as const)(
    '%s: nothing is written, and it is said',
    async (verdict) => {
      const baseline = await read(baselines['a pass, from one trial']!);
      const cell = { ...stated(expectedOf(baseline, key), aFinding(1, 0), null), verdict, standing: null };
      const { text, kept } = await accepted(cell, baseline, key);
      expect(text).toBe(baseline.text);
      expect(kept).toEqual([{ cell: key, because: 'not_judged' }]);
    },
  );

  test('a threshold that is in doubt stays, and it is said', async () => {
    const baseline = await read(
      `covers: [${key}]\nexpect: []\nthresholds:\n  - { key: ${key}, value: 512, date: 2026-01-01 }`,
    );
    const cell = { ...stated(expectedOf(baseline, key), aFinding(3, 0), null), threshold: { value: 512 } };
    const doubt = { ...cell, standing: 'improvement' as const, unsettled: true };
    const { text, kept } = await accepted(doubt, baseline, key);
    expect(text).toBe(baseline.text);
    expect(kept).toEqual([{ cell: key, because: 'threshold_in_doubt' }]);
  });
});

describe('a cell in doubt of which nobody spoke', () => {
  test.each<[string, string, readonly [number, number], boolean]>([
    ['stays when it is well known, since the hour may have been bad', 'a pass, from twelve trials', [50, 10], false],
    ['is flaky when little was known of it', 'a pass, from one trial', [4, 3], true],
    ['stays when it only failed', 'a pass, from one trial', [0, 1], false],
  ])('%s', async (_, known, [passed, failed], changes) => {
    const baseline = await read(baselines[known]!);
    const cell = stated(expectedOf(baseline, key), aFinding(passed, failed, { failure }), 'unsettled');
    const { text, kept } = await accepted(cell, baseline, null);
    expect(text !== baseline.text).toBe(changes);
    expect(kept).toEqual(changes ? [] : [{ cell: key, because: 'in_doubt' }]);
  });
});

/** One run of the cell, with the course of a real one. */
function runOf(expected: Expected, rate: number, random: () => number, trials: Ticket['trials']) {
  const courses = coursesFor({ plannedCells });
  const course = trials.kind === 'count' ? 'fixed' : 'sequential';
  const ticket = aTicket({ expected, trials, course });
  const { finding } = flip(courses[course], ticket, () => random() < rate);
  const change = rateChangesOf([ticket], new Map([[key, finding]])).get(key) ?? null;
  const stands = standingOf(ticket, finding, plannedCells, change);
  const { standing, unsettled } = stands;
  const before = knowledgeOf(expected);
  const { passed, total } = finding.trials;
  const cell: AcceptedCell = {
    ...{
      key,
      model: 'demo/one',
      verdict: finding.verdict,
      trials: finding.trials,
      threshold: null,
      ...stands,
    },
    ...{ class: finding.class, reason: finding.reason, status: finding.status, expected: expectedCell(expected) },
    ...(before && { known: { passed: before.passed + passed, total: before.total + total } }),
  };
  const isNews = standing === 'new' ? cell.verdict !== 'pass' : standing !== 'as_expected';
  return { cell, deviates: isNews && !unsettled };
}

describe('the run after a cell was accepted by name', () => {
  const spread = [0, 0.4, 0.7, 0.9, 0.97, 1].flatMap((rate) =>
    Object.keys(baselines).map((known) => ({ rate, known })),
  );

  test.each(spread)('is green: true rate $rate, the baseline knew $known', async ({ rate, known }) => {
    const random = randomFrom(11);
    const baseline = await read(baselines[known]!);
    const sums = { runs: 0, alarms: 0 };
    for (let index = 0; index < 40; index++) {
      const trials = index % 2 === 0 ? countedTrials(1) : sequentialTrials;
      const { cell } = runOf(expectedOf(baseline, key), rate, random, trials);
      // A run that saw only one of the two says nothing of a cell that does both.
      if (cell.standing === 'as_expected' || (cell.verdict !== 'flaky' && rate > 0 && rate < 1)) continue;
      const { after } = await accepted(cell, baseline, key);
      for (let next = 0; next < 10; next++) {
        sums.runs += 1;
        sums.alarms += runOf(expectedOf(after, key), rate, random, trials).deviates ? 1 : 0;
      }
    }
    expect(sums.alarms).toBeLessThanOrEqual(1 + 0.01 * sums.runs);
  });
});
