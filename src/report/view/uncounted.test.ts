import { describe, expect, test } from 'vitest';
import { aReport, aReportCell } from '../../../test/support/build.js';
import type { ReportCell } from '../../matrix/report-format.js';
import { renderMarkdown } from '../markdown/render-markdown.js';
import { renderTerminal } from '../terminal/render-terminal.js';
import { usualConditions } from '../../matrix/run-exit-code.js';
import { nextSteps } from './next-steps.js';
import { verdictOf } from './verdict/verdict-of.js';

const failing = (probe: string, changes: Partial<ReportCell>): ReportCell =>
  aReportCell({ probe, verdict: 'flaky', class: 'malformed_response', standing: 'new', ...changes });
const confirmed = (probe: string) => failing(probe, { surprise: 'confirmed' });
const unconfirmed = failing('unconfirmed', { unsettled: true, surprise: 'unsettled' });
const cleared = failing('cleared', {
  surprise: 'cleared',
  trials: { passed: 34, total: 38, faults: 0, interval: [0, 1], needed: 0 },
  fresh: { suspicion: 'new', passed: 34, total: 37, p_value: null },
});
const passing = aReportCell({ probe: 'passing', standing: 'new' });

const texts = (...cells: readonly ReportCell[]) =>
  nextSteps(aReport({ cells: [passing, ...cells] }), 'r').map(({ text }) => text);
const context = { redact: (text: string) => text, color: false, columns: 200, folder: null, exit: undefined } as never;

describe('a first run', () => {
  test('calls each cell that does not pass a deviation only where each is', () => {
    const each = 'Each cell that does not pass is a deviation until a baseline covers it.';
    expect(texts(confirmed('a'))).toContain(each);
    expect(texts(confirmed('a'), cleared)).not.toContain(each);
  });

  test('says nothing of cells that do not pass where all pass', () => {
    expect(texts().join(' ')).not.toMatch(/not pass|deviation/);
    expect(texts()).toHaveLength(1);
  });

  test.each<[readonly ReportCell[], string]>([
    [[], 'No baseline covers this judged cell yet, and it passes (exit code 0)'],
    [
      [aReportCell({ probe: 'more', standing: 'new' })],
      'No baseline covers these 2 judged cells yet, and all of them pass (exit code 0)',
    ],
    [[unconfirmed], 'No baseline covers these 2 judged cells yet, and no failure of them is confirmed (exit code 0)'],
    [
      [confirmed('a')],
      'No baseline covers these 2 judged cells yet: 1 new cell does not pass (exit code 1: a deviation)',
    ],
  ])('sums up what nobody has accepted yet', (cells, sentence) => {
    const report = aReport({ cells: [passing, ...cells] });
    expect(
      verdictOf(report, [], { folder: 'r', exit: { ...usualConditions, interrupted: false, shard: false } }).sentence,
    ).toBe(sentence);
  });

  test.each<[readonly ReportCell[], string]>([
    [
      [confirmed('a'), confirmed('b'), unconfirmed, cleared],
      'Of the 4 cells that do not pass, 2 are deviations until a baseline covers them, 1 is unconfirmed and 1 may be chance; the report lists each.',
    ],
    [
      [confirmed('a'), cleared],
      'Of the 2 cells that do not pass, 1 is a deviation until a baseline covers it and 1 may be chance; the report lists each.',
    ],
    [[unconfirmed], 'The cell that does not pass is unconfirmed, so it is no deviation.'],
    [[cleared], 'The cell that does not pass may be chance, so it is no deviation.'],
  ])('says of the others what they are', (cells, sentence) => {
    expect(texts(...cells)).toContain(sentence);
  });
});

test('every cell that does not pass stands in a list', async () => {
  const known = aReportCell({
    ...{ probe: 'known', verdict: 'flaky', class: 'not_json', standing: 'as_expected', surprise: 'cleared' },
    expected: { ...{ verdict: 'pass', class: null, reason: null, status: null, passed: null, total: null } } as never,
  });
  const report = aReport({ cells: [passing, cleared, known] });
  for (const text of [await renderTerminal(report, context), await renderMarkdown(report, context)]) {
    expect(text).toContain('Failures that may be chance (not counted)');
    expect(text).toContain('suite/cleared@demo/one');
    expect(text).toContain('34 of 38 trials passed, 34 of the 37 fresh ones');
    expect(text).toContain('suite/known@demo/one');
    expect(text).not.toContain('suite/passing@demo/one');
  }
});

test('what is expected to fail, and what passes, does not', async () => {
  const expected = { verdict: 'flaky', class: 'not_json' } as never;
  const old = aReportCell({ probe: 'old', verdict: 'flaky', standing: 'as_expected', expected });
  const text = await renderTerminal(aReport({ cells: [passing, old, unconfirmed] }), context);
  expect(text).not.toContain('may be chance');
});

test('what was asked only to explain other cells has a list of its own, as it is no matter of chance', async () => {
  const explaining = failing('explaining', {
    ...{ verdict: 'fail', asked_for: 'composite' },
    trials: { passed: 0, total: 7, faults: 0, interval: [0, 1], needed: 0 },
  });
  const own = 'Asked only to explain other cells (not counted)';
  const report = aReport({ cells: [passing, confirmed('a'), explaining] });
  for (const text of [await renderTerminal(report, context), await renderMarkdown(report, context)]) {
    expect(text).toContain(own);
    expect(text).toContain('0 of 7 trials passed');
    expect(text).not.toContain('may be chance');
  }
  expect(texts(confirmed('a'), explaining)).toContain(
    'Of the 2 cells that do not pass, 1 is a deviation until a baseline covers it and 1 was asked only to explain other cells; the report lists each.',
  );
  expect(texts(explaining)).toContain(
    'The cell that does not pass was asked only to explain other cells, so it is no deviation.',
  );
  const both = await renderTerminal(aReport({ cells: [passing, cleared, explaining] }), context);
  expect(both).toMatch(
    /may be chance \(not counted\) \(1\)[^]*suite\/cleared[^]*Asked only[^]*\(1\)[^]*suite\/explaining/,
  );
});
