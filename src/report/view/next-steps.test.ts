import { describe, expect, test } from 'vitest';
import { report, reportCell, reportModel } from '../../../test/support/synthetic-cell.js';
import type { Report } from '../../matrix/report-format.js';
import { nextSteps } from './next-steps.js';
import { stopNote, stopsIn } from './stop-note.js';

const commands = (of: Report) => nextSteps(of, 'r').map(({ command }) => command);
const said = (of: Report) =>
  nextSteps(of, 'r')
    .map(({ say }) => say)
    .join(' ');
const stopped = (why: string, changes: Partial<Report> = {}): Report => {
  const made = report({ cells: [reportCell({ standing: 'new' }), reportCell({ verdict: 'not_run' })], ...changes });
  return { ...made, run: { ...made.run, notes: [stopNote(null, why), 'a behaviour could not be evaluated'] } };
};

describe('the next step', () => {
  test('of a truncated run is to go on', () => {
    expect(commands(report({ complete: false }))).toEqual(['chatspec run --resume --out r']);
  });

  test.each([
    ['budget of 3 requests used up', 'chatspec run --resume --out r --budget-requests N', /larger budget/],
    ['budget of 900 tokens used up', 'chatspec run --resume --out r --budget-tokens N', /larger budget/],
    ['cost budget of 2 used up', 'chatspec run --resume --out r', /Raise budget\.cost/],
    ['the balance is used up', 'chatspec run --resume --out r', /When that is mended/],
  ])('of one that stopped early (%s) is no acceptance', (why, command, how) => {
    expect(commands(stopped(why))).toEqual([command]);
    expect(said(stopped(why))).toMatch(how);
    expect(said(stopped(why))).toContain(why);
    const cells = [reportCell({ verdict: 'fail', standing: 'regression' }), reportCell({ standing: 'as_expected' })];
    expect(commands(stopped(why, { cells }))).toEqual([command, 'chatspec evidence r CELL']);
  });

  test('says once why models were not reached, and how the run goes on', () => {
    const unreachable = {
      class: 'transport',
      reason: null,
      status: null,
      detail: 'the connection was refused',
    } as const;
    const models = ['demo/one', 'demo/two'].map((id) => reportModel(id, { reachable: false, unreachable }));
    const cells = [reportCell({ verdict: 'inconclusive', standing: null })];
    expect(nextSteps(report({ models, cells }), 'r')).toEqual([
      {
        say: 'Not measured: demo/one, demo/two could not be reached: the connection was refused. When that is mended, run it again.',
        command: null,
      },
    ]);
    const gone = models.map((model) => ({ ...model, standing: 'gone' as const, retired: true }));
    expect(nextSteps(report({ models: gone, cells }), 'r')).toEqual([]);
  });

  test('with a model that is gone is not to accept it', () => {
    const models = [reportModel('demo/one', { standing: 'gone', reachable: false }), reportModel('demo/two')];
    const gone = report({ models, cells: [reportCell({ model: 'demo/two', standing: 'as_expected' })] });
    expect(commands(gone)).toEqual([null]);
    expect(said(gone)).toContain('demo/one is gone, which no baseline accepts: remove it from chatspec.yaml, or');
    expect(said(gone)).toContain('retired: YYYY-MM-DD');
    expect(nextSteps({ ...gone, models: [{ ...models[0]!, retired: true }] }, 'r')).toEqual([]);
  });

  test('is to accept when nothing was accepted, and to look and accept in part later', () => {
    expect(commands(report({ cells: [reportCell({ standing: 'new' })] }))).toContain('chatspec baseline accept r');
    const cells = [reportCell({ verdict: 'fail', standing: 'regression' }), reportCell({ standing: 'as_expected' })];
    expect(commands(report({ cells }))).toEqual([
      'chatspec evidence r CELL',
      'chatspec baseline accept r --only PATTERN',
    ]);
    expect(nextSteps(report({ cells: [reportCell({ standing: 'as_expected' })] }), 'r')).toEqual([]);
  });
});

test('what a report notes of a stop can be read back', () => {
  expect(stopsIn([stopNote(null, 'a: b'), stopNote('demo', 'c'), 'stopped nobody'])).toEqual(['a: b', 'c']);
});
