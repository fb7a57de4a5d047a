import { describe, expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../test/support/build.js';
import type { ExpectedCell, Report, ReportCell, ReportUnmeasured } from '../matrix/report-format.js';
import { unmeasuredGroupNotes } from '../matrix/unmeasured/unmeasured-text.js';
import type { History } from './history/history.js';
import { summaryOf } from './history/run-summary.js';
import type { Issue } from './issue/render-issue.js';
import { renderReport } from './render-report.js';
import { reportFormats } from './report-formats.js';
import { redactor } from './safe/redact.js';

/** No format may call a night quiet in which a model no longer answered what it did. */

const model = 'demo/cut';
const expected: ExpectedCell = {
  ...{ verdict: 'pass', class: null, reason: null, status: null, passed: null, total: null, trials: 12 },
  ...{ date: null, note: null, link: null, threshold: null },
};
const fine = (probe: string): ReportCell => aReportCell({ model, probe, standing: 'as_expected', expected });
const dead = (probe: string, changes: Partial<ReportCell> = {}): ReportCell =>
  aReportCell({
    ...{ model, probe, expected, verdict: 'inconclusive', class: 'transport', detail: 'the stream was cut' },
    ...changes,
    trials: { faults: 2, ...changes.trials },
  });

const cutStreams: ReportUnmeasured = {
  ...{ model, shared: 'stream: true', requests: 8, kinds: [{ kind: 'cut', status: null, requests: 8 }] },
  ...{ cells: [dead('a').key, dead('b').key], others: { answered: 40, of: 40 } },
  ...{ detail: 'the stream was cut', exchanges: ['e7', 'e9'] },
};
const hiccup: ReportUnmeasured = {
  ...{ model, shared: null, requests: 4, kinds: [{ kind: 'status', status: 503, requests: 4 }] },
  ...{ cells: [dead('a').key], others: { answered: 40, of: 40 }, detail: 'HTTP 503', exchanges: ['e7'] },
};

function night(day: number, cells: readonly ReportCell[], unmeasured: readonly ReportUnmeasured[] = []): Report {
  const made = aReport({ models: [aReportModel(model)], cells, unmeasured });
  const started_at = `2026-11-${day}T03:00:00.000Z`;
  return { ...made, run: { ...made.run, id: `r${day}`, started_at, notes: unmeasuredGroupNotes({ unmeasured }) } };
}

const after = (...earlier: readonly Report[]): History => ({
  ...{ from: 'runs', unreadable: [] },
  runs: earlier.map((one) => ({ ...summaryOf(one, undefined), folder: one.run.id, page: null })),
});

const others = Array.from({ length: 30 }, (_, at) => fine(`f${at}`));
const broken = night(22, [...others, dead('a'), dead('b')], [cutStreams]);
const stumbling = night(22, [...others, dead('a')], [hiccup]);
const quiet = night(21, [...others, fine('a'), fine('b')]);

const formats = ['terminal', 'md', 'html', 'issue'] as const;
const exit = { failOn: 'deviation', interrupted: false, maxUnmeasured: 0.1, shard: false } as const;

async function textOf(format: (typeof formats)[number], report: Report, history: History | null = null) {
  const text = await renderReport(reportFormats[format], report, {
    ...{ redact: redactor([]), exchanges: none, failures: [], folder: 'r', color: false, columns: 2000 },
    ...{ history, summary: null, exit },
  });
  return text.replaceAll(/[\\`]/g, '');
}

const issueOf = async (report: Report, history: History | null = null): Promise<Issue> =>
  JSON.parse(
    await renderReport(reportFormats.issue, report, {
      ...{ redact: redactor([]), exchanges: none, failures: [], folder: 'r', color: false, columns: 80 },
      ...{ history, summary: null, exit },
    }),
  ) as Issue;

/** The run folder is not there. */
async function* none(): AsyncGenerator<never> {}

const isQuiet = /Nothing has changed|None: every judged|no deviations"/;

describe.each(formats)('%s', (format) => {
  test('says that nothing has changed where nothing has', async () => {
    expect(await textOf(format, quiet)).toMatch(isQuiet);
  });

  test('says what a model no longer answers', async () => {
    const text = await textOf(format, broken, after(quiet));
    expect(text).not.toMatch(isQuiet);
    expect(text).toContain(
      'Nothing that was judged has changed, but 2 cells of demo/cut that passed before could not be measured',
    );
    expect(text).toContain('none of its 8 requests with stream: true got a usable answer (cut off)');
    expect(text).toContain('the stream was cut');
    expect(text).toContain('chatspec evidence r suite/a@demo/cut');
  });

  test('says since when', async () => {
    const text = await textOf(format, broken, after(quiet, { ...broken, run: { ...broken.run, id: 'r0' } }));
    expect(text).toContain('since the run of 2026-11-22 (2 runs)');
  });

  test('says a bad moment in a line', async () => {
    const text = await textOf(format, stumbling, after(quiet));
    expect(text).toContain(
      'Nothing that was judged has changed, but suite/a@demo/cut, which passed before, could not be measured (HTTP 503)',
    );
    expect(text).not.toMatch(/usable answer|to support:/);
  });
});

test('the terminal says the reason once', async () => {
  const text = await textOf('terminal', broken);
  expect(text.split('stream: true')).toHaveLength(2);
  expect(text.split('the stream was cut')).toHaveLength(2);
});

describe('the issue', () => {
  test('is open while a model does not answer what it did', async () => {
    const { state, title, body, comment } = await issueOf(broken, after(quiet));
    expect([state, title]).toEqual(['open', 'Conformance: 2 cells could not be measured']);
    expect(body).toContain('`e7`');
    expect(comment).toContain('suite/b@demo/cut');
  });

  test('needs no earlier runs for that, and says the same as long as it lasts', async () => {
    const [first, second] = [await issueOf(broken), await issueOf(broken, after(quiet, broken))];
    expect(first.state).toBe('open');
    expect([second.state, second.fingerprint, second.comment]).toEqual(['open', first.fingerprint, null]);
  });

  test('counts what was lost, too', async () => {
    const lost = aReportCell({
      model,
      probe: 'x',
      standing: 'regression',
      verdict: 'fail',
      class: 'not_json',
      expected,
    });
    const report = { ...broken, cells: [...broken.cells, lost] };
    expect((await issueOf(report)).title).toBe('Conformance: 1 cell lost, 2 cells could not be measured');
  });

  test('says once what is measured again, and since when it had not been', async () => {
    const on = (day: number, report: Report): Report => {
      const started_at = `2026-11-${day}T03:00:00.000Z`;
      return { ...report, run: { ...report.run, id: `n${day}`, started_at } };
    };
    const nights = [on(20, quiet), on(21, broken), on(22, broken), on(23, quiet)];
    const { state, comment } = await issueOf(nights[3]!, after(...nights.slice(0, 3)));
    expect(state).toBe('closed');
    const plain = comment?.replaceAll('\\', '');
    expect(plain).toContain('Measured again: 2 cells of demo/cut, unmeasured since the run of 2026-11-21 (2 runs).');
    expect(plain).toMatch(/Nothing deviates\.\s*$/);
    expect((await issueOf(on(24, quiet), after(...nights))).comment).toBeNull();
    const one = await issueOf(on(23, quiet), after(on(21, quiet), on(22, broken)));
    expect(one.comment?.replaceAll('\\', '')).toContain('since the run of 2026-11-22 (1 run).');
  });

  test('says nothing of a bad moment that is over', async () => {
    expect((await issueOf(night(23, quiet.cells), after(quiet, stumbling))).comment).toBeNull();
  });

  test('is closed after a bad moment, and says so', async () => {
    const { state, title } = await issueOf(stumbling, after(quiet));
    expect([state, title]).toEqual(['closed', 'Conformance: no deviations, 1 cell not measured']);
  });

  test('is open where the same cell had a bad moment in the run before', async () => {
    const { state, body } = await issueOf(
      stumbling,
      after(quiet, { ...stumbling, run: { ...stumbling.run, id: 'r0' } }),
    );
    expect(state).toBe('open');
    expect(body).toContain('none of its 4 requests got a usable answer');
  });
});

describe('the headline', () => {
  const headline = async (report: Report) =>
    (await textOf('terminal', report)).split('\n').find((line) => line.includes('exit code'));

  test('does not call a gain all that there is', async () => {
    const gained = aReportCell({
      model,
      probe: 'x',
      standing: 'improvement',
      expected: { ...expected, verdict: 'fail' },
    });
    expect(await headline({ ...broken, cells: [...broken.cells, gained] })).toContain(
      '; 2 cells of demo/cut that passed before could not be measured',
    );
  });

  test('of a first run says it, too', async () => {
    const unknown = (cell: ReportCell): ReportCell => ({ ...cell, expected: null, standing: cell.standing && 'new' });
    expect(await headline({ ...broken, cells: broken.cells.map(unknown) })).toContain(
      'all of them pass; 2 cells of demo/cut could not be measured',
    );
  });

  test('says nothing of cells whose answers settle nothing', async () => {
    const cut = dead('a', { class: null, detail: 'cut', trials: { ...dead('a').trials, faults: 0 } });
    expect(await headline(night(22, [...others, cut]))).toContain('Nothing has changed');
  });

  test('does not say that something passed which no run ever measured', async () => {
    const report = night(22, [...others, dead('a')], [hiccup]);
    const text = await textOf(
      'terminal',
      report,
      after(night(20, [...others, dead('a')]), night(21, [...others, dead('a')])),
    );
    expect(text).toContain('suite/a@demo/cut could not be measured (HTTP 503), since the run of 2026-11-20');
  });

  test('says of a model that was not reached that its cells are missing', async () => {
    const unreachable = { class: 'http_error', reason: 'overloaded', status: 503, detail: 'HTTP 503' } as const;
    const gone = aReportModel('demo/down', { reachable: false, unreachable });
    const cells = [...others, dead('a', { model: 'demo/down' }), dead('b', { model: 'demo/down' })];
    const report = { ...night(22, cells), models: [aReportModel(model), gone] };
    expect(await headline(report)).toContain('but 2 cells of demo/down that passed before could not be measured');
  });
});
