import { describe, expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../../test/support/build.js';
import type { Report } from '../../matrix/report-format.js';
import { nextSteps } from './next-steps.js';
import type { Stop, StopReason } from '../../journal/stop.js';
import { stopSentence } from './stop-sentences.js';

const commands = (of: Report) => nextSteps(of, 'r').map(({ command }) => command);
const textOf = (of: Report) =>
  nextSteps(of, 'r')
    .map(({ text }) => text)
    .join(' ');
const stopped = (reason: StopReason, changes: Partial<Report> = {}): Report => {
  const made = aReport({ cells: [aReportCell({ standing: 'new' }), aReportCell({ verdict: 'not_run' })], ...changes });
  const stops: Stop[] = [{ target: null, model: null, ...reason }];
  return { ...made, run: { ...made.run, stops } };
};

const used = { kind: 'budget', limit: 3, shard_part: false } as const;

describe('the next step', () => {
  test('after a truncated run is to continue it', () => {
    expect(commands(aReport({ complete: false }))).toEqual(['chatspec run --resume --out r']);
  });

  test.each<[StopReason, string, RegExp]>([
    [{ ...used, unit: 'requests' }, 'chatspec run --resume --out r --budget-requests N', /larger budget/],
    [{ ...used, unit: 'tokens' }, 'chatspec run --resume --out r --budget-tokens N', /larger budget/],
    [{ ...used, unit: 'cost' }, 'chatspec run --resume --out r', /Raise budget\.cost/],
    [
      { kind: 'quota', answered_by: 'demo/one', detail: null },
      'chatspec run --resume --out r',
      /Fix this, then continue/,
    ],
  ])('after a run that stopped early (%j) is not to accept it', (reason, command, how) => {
    expect(commands(stopped(reason))).toEqual([command]);
    expect(textOf(stopped(reason))).toMatch(how);
    expect(textOf(stopped(reason))).toContain(stopSentence(reason));
    const cells = [aReportCell({ verdict: 'fail', standing: 'regression' }), aReportCell({ standing: 'as_expected' })];
    expect(commands(stopped(reason, { cells }))).toEqual([command, 'chatspec evidence r suite/probe@demo/one']);
  });

  test('says once why models were not reached, and what to do with the rest of the run', () => {
    const unreachable = {
      class: 'transport',
      reason: null,
      status: null,
      detail: 'the connection was refused',
    } as const;
    const models = ['demo/one', 'demo/two'].map((id) => aReportModel(id, { reachable: false, unreachable }));
    const cells = [aReportCell({ verdict: 'inconclusive', standing: null })];
    expect(nextSteps(aReport({ models, cells }), 'r')).toEqual([
      {
        text: 'Not measured: demo/one, demo/two: each cannot be reached: the connection was refused. Fix this, then rerun.',
        command: null,
      },
    ]);
    const gone = models.map((model) => ({ ...model, standing: 'gone' as const, retired: true }));
    expect(nextSteps(aReport({ models: gone, cells }), 'r')).toEqual([]);
  });

  test('ends what the service said with one full stop', () => {
    const text = textOf(stopped({ kind: 'quota', answered_by: 'demo/one', detail: 'No credit left.' }));
    expect(text).toContain('No credit left. Top up');
  });

  test('after a model is gone is not to accept it', () => {
    const models = [aReportModel('demo/one', { standing: 'gone', reachable: false }), aReportModel('demo/two')];
    const gone = aReport({ models, cells: [aReportCell({ model: 'demo/two', standing: 'as_expected' })] });
    expect(commands(gone)).toEqual([null, 'chatspec doctor --target demo --model one']);
    expect(textOf(gone)).toContain(
      'demo/one is gone, which a baseline cannot accept: remove it from chatspec.yaml, or',
    );
    expect(textOf(gone)).toContain('retired: YYYY-MM-DD');
    expect(nextSteps({ ...gone, models: [{ ...models[0]!, retired: true }] }, 'r')).toEqual([]);
  });

  test('is to accept the first run, and to inspect and accept parts of later ones', () => {
    expect(commands(aReport({ cells: [aReportCell({ standing: 'new' })] }))).toContain('chatspec baseline accept r');
    const first = aReport({ cells: [aReportCell({ standing: 'new' })] });
    const smoke = { ...first, run: { ...first.run, profile: 'smoke' } };
    expect([commands(smoke), textOf(smoke)]).toEqual([[null], expect.stringContaining('settles nothing')]);
    const unmeasured = aReport({ cells: [...first.cells, aReportCell({ probe: 'b', verdict: 'inconclusive' })] });
    expect([commands(unmeasured), textOf(unmeasured)]).toEqual([[null], expect.stringContaining('Too much')]);
    const cells = [aReportCell({ verdict: 'fail', standing: 'regression' }), aReportCell({ standing: 'as_expected' })];
    expect(commands(aReport({ cells }))).toEqual([
      'chatspec evidence r suite/probe@demo/one',
      'chatspec baseline accept r --only suite/probe@demo/one',
    ]);
    const more = [...cells, aReportCell({ probe: 'other', standing: 'improvement' })];
    expect(commands(aReport({ cells: more }))).toEqual([
      'chatspec evidence r suite/probe@demo/one',
      'chatspec baseline accept r',
    ]);
    expect(nextSteps(aReport({ cells: [aReportCell({ standing: 'as_expected' })] }), 'r')).toEqual([]);
  });
});

test('commands name the config of the run, quoted for a shell', () => {
  const { run, ...others } = aReport({ cells: [aReportCell({ verdict: 'fail', standing: 'regression' })] });
  const steps = nextSteps({ ...others, run: { ...run, config: 'ci/my config.yaml' } }, 'my runs/latest');
  const commands = steps.flatMap(({ command }) => command ?? []);
  expect(commands.length).toBeGreaterThan(0);
  for (const command of commands) {
    expect(command).toContain("'my runs/latest'");
    expect(command).toMatch(/ --config 'ci\/my config.yaml'$/);
  }
  const truncated = nextSteps({ ...others, run: { ...run, complete: false, config: 'other.yaml' } }, 'r');
  expect(truncated[0]?.command).toBe('chatspec run --resume --out r --config other.yaml');
});
