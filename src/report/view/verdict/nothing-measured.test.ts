import { describe, expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../../../test/support/build.js';
import type { Stop, StopReason } from '../../../journal/stop.js';
import type { Report } from '../../../matrix/report-format.js';
import { renderReport } from '../../render-report.js';
import { reportFormats } from '../../report-formats.js';
import { redactor } from '../../safe/redact.js';
import { nothingMeasured } from './nothing-measured.js';

/** A run that stopped before its first answer says so in one sentence, and how to go on; it prints no empty matrix. */

type Cases = {
  readonly [Kind in StopReason['kind']]: readonly [
    sentence: string,
    command: string,
    stop: Omit<Extract<StopReason, { kind: Kind }>, 'kind'>,
  ][];
};

const resume = 'chatspec run --resume --out r';
const byModel = { answered_by: 'demo/one' };
const budget = { limit: 1, shard_part: false };

const cases: Cases = {
  budget: [
    [
      'Nothing was asked: the budget of 1 token is too small for the first request',
      `${resume} --budget-tokens N`,
      { ...budget, unit: 'tokens' },
    ],
    [
      'Nothing was asked: the cost budget of 0.001 is too small for the first request',
      resume,
      { ...budget, limit: 0.001, unit: 'cost' },
    ],
    [
      "Nothing was asked: the budget of 1 request (this shard's part) is too small for the first request",
      `${resume} --budget-requests N`,
      { ...budget, shard_part: true, unit: 'requests' },
    ],
    [
      'Nothing was measured: budget of 1 request used up; 1 request of it was sent before an interruption and never answered',
      `${resume} --budget-requests N`,
      { ...budget, unit: 'requests', unanswered: 1 },
    ],
  ],
  interrupted: [['Nothing was measured: the run was interrupted before the first answer', resume, {}]],
  quota: [['Nothing was measured: demo/one answered that its quota is used up', resume, { ...byModel, detail: null }]],
  long_pause: [['Nothing was measured: demo/one asks for a pause of 900 s', resume, { ...byModel, seconds: 900 }]],
  unanswered: [
    [
      'Nothing was measured: demo/one stopped answering, even a plain request: HTTP 503',
      resume,
      { ...byModel, class: 'http_error', reason: null, status: 503, detail: 'HTTP 503' },
    ],
  ],
  overshoot: [
    [
      'Nothing was measured: demo/one wrote more than max_tokens allowed, so the budget could not be kept',
      resume,
      byModel,
    ],
  ],
  cut_off: [['Nothing was measured: the run was cut off before the first answer', resume, {}]],
  missing_shard: [
    ['Nothing was asked: shard 2 of 3 is missing', 'chatspec merge SHARD... --out r', { shard: 2, of: 3 }],
  ],
  not_recorded: [['Nothing was asked: this was not part of the recorded run', resume, {}]],
};

const all = Object.entries(cases).flatMap(([kind, ofKind]) =>
  ofKind.map(([sentence, command, stop]) => ({ kind, sentence, command, stop })),
);

function stoppedBy(stops: readonly Stop[], changes: Partial<Report['run']> = {}): Report {
  const models = [aReportModel('demo/one', { reachable: false }), aReportModel('demo/two', { reachable: false })];
  const cells = models.map(({ id }) => aReportCell({ model: id, verdict: 'not_run' }));
  const capabilities = cells.map(({ model, capability, key }) => ({
    ...{ model, capability, verdict: 'inconclusive' as const, condition: null, cells: [key] },
  }));
  const made = aReport({ models, cells, capabilities });
  const notes = ['100 % of the cells were not measured, more than max_unmeasured (10 %) allows'];
  return { ...made, run: { ...made.run, stops, notes, ...changes } };
}

const printed = (report: Report) =>
  renderReport(reportFormats.terminal, report, {
    ...{ redact: redactor([]), exchanges: none, failures: [], folder: 'r', color: false, columns: 500 },
    ...{ history: null, summary: null },
  });

/** The run folder is not there. */
async function* none(): AsyncGenerator<never> {}

describe.each(all)('$sentence', ({ kind, sentence, command, stop }) => {
  const reason = { target: null, model: null, kind, ...stop } as unknown as Stop;
  const complete = kind !== 'interrupted' && kind !== 'cut_off';
  const occurrences = (text: string, part: string): number => text.split(part).length - 1;

  test('stands alone in the terminal, with how to go on', async () => {
    const report = stoppedBy([reason], { complete });
    const text = await printed(report);
    expect(nothingMeasured(report)).toBe(sentence);
    expect(text.split('\n')[0]).toContain(sentence);
    expect(text).not.toContain('·-');
    expect(text).not.toContain('max_unmeasured');
    expect(occurrences(text, sentence.split(': ')[1] ?? '')).toBe(1);
    expect(text.trimEnd().split('\n').at(-1)).toBe(`  ${command}`);
  });

  test('is said of a run whose first plain requests alone were answered, too', () => {
    const said = nothingMeasured(stoppedBy([reason], { complete, requests: 2 }));
    expect(said).toMatch(/^Nothing was measured: /);
    expect(said).not.toMatch(/before the first answer|first request/);
  });

  test('is not said once a cell is judged', async () => {
    const report = stoppedBy([reason], { complete });
    const [first, ...others] = report.cells;
    const judged = { ...report, cells: [{ ...first!, verdict: 'pass' as const }, ...others] };
    expect(nothingMeasured(judged)).toBeNull();
    expect(await printed(judged)).toContain('✓P');
  });
});

describe('a model that does not answer its plain request', () => {
  const unreachable = { class: 'http_error', reason: 'quota', status: 429, detail: 'HTTP 429: top up' } as const;
  const quota = { kind: 'quota', answered_by: 'demo/one', detail: 'HTTP 429: top up' } as const;
  const unreached = (stops: readonly Stop[]): Report => {
    const report = stoppedBy(stops, { requests: 2 });
    const models = report.models.map((model) => ({ ...model, unreachable }));
    return { ...report, models, cells: report.cells.map((cell) => ({ ...cell, verdict: 'inconclusive' as const })) };
  };

  test('is told once where that stopped the run', async () => {
    const ofModels = ['demo/one', 'demo/two'].map((model): Stop => ({ target: 'demo', model, ...quota }));
    const ofTarget: Stop = { target: 'demo', model: null, ...quota, confirmed_by: 'demo/two' };
    const text = await printed(unreached([...ofModels, ofTarget]));
    expect(text.split('\n')[0]).toContain(
      "Nothing was measured: demo/one, and demo/two to a plain request, answered that the account's quota is used up",
    );
    expect(text).not.toContain('?I');
    expect(text.split('top up').length - 1).toBe(1);
    expect(text).toContain('Top up the account, or use a key that has credit. Fix this, then continue:');
  });

  test('keeps the matrix where nothing stopped it', async () => {
    const text = await printed(unreached([{ target: 'demo', model: 'demo/two', ...quota }]));
    expect(text).toContain('?I');
    expect(text).toContain('Not measured: demo/one');
  });

  test('differs from one that answers it and no probe', async () => {
    const report = unreached([{ target: null, model: null, ...quota }]);
    const models = report.models.map((model) => ({ ...model, unreachable: null, reachable: true }));
    expect(await printed({ ...report, models })).toContain('?I');
  });
});

test('a run that nothing stopped, or that planned nothing, has not stopped early', () => {
  expect(nothingMeasured(stoppedBy([]))).toBeNull();
  const interrupted: Stop = { target: null, model: null, kind: 'interrupted' };
  expect(nothingMeasured({ ...stoppedBy([interrupted]), cells: [] })).toBeNull();
});

test('several stops are named once each, and no more than three', () => {
  const stops = ['a', 'b', 'c', 'd', 'a'].map((model): Stop => ({
    target: 'demo',
    model: `demo/${model}`,
    kind: 'long_pause',
    answered_by: `demo/${model}`,
    seconds: 3000,
  }));
  expect(nothingMeasured(stoppedBy(stops))).toMatch(/: demo\/a [^;]*; demo\/b [^;]*; demo\/c [^;]*; and 1 more$/);
});
