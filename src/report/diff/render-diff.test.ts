import { describe, expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../../test/support/build.js';
import { diffRuns } from '../../matrix/diff/diff-reports.js';
import type { ReportModel } from '../../matrix/report-format.js';
import { redactor } from '../safe/redact.js';
import { renderDiffJson, renderDiffMarkdown, renderDiffTerminal } from './render-diff.js';
import widthOf from 'string-width';

const redact = redactor();
const hostile = 'mail x@example.com | `y` \u001b[31m <b>';
const refused = { verdict: 'fail', class: 'http_error', reason: 'schema_rejected', status: 400 } as const;
const found = { last_failing: 1, monotonic: true, curve: [] };
const diff = diffRuns(
  aReport({
    cells: [
      aReportCell({ quirks: ['done_missing'] }),
      aReportCell({ probe: 'other', ...refused }),
      aReportCell({ probe: 'unlucky' }),
      aReportCell({ probe: 'find', threshold: { ...found, value: 512 } }),
    ],
  }),
  aReport({
    cells: [
      aReportCell({ ...refused, detail: hostile }),
      aReportCell({ probe: 'other' }),
      aReportCell({ probe: 'unlucky', verdict: 'fail', class: 'not_json' }),
      aReportCell({ probe: 'find', threshold: { ...found, value: 576 } }),
    ],
  }),
);

describe('a diff', () => {
  test('is readable Markdown', () => {
    const text = renderDiffMarkdown(diff, redact);
    expect(text).toContain('1 cell lost, 1 gained.');
    expect(text).toContain(
      '| `suite/probe@demo/one` | pass -&gt; fail (http_error 400, schema_rejected): mail \\[redacted\\] &#124; \\`y\\` \\\\u001b\\[31m &lt;b&gt; |',
    );
    expect(text).toContain('\\- done_missing');
  });

  test('fits the terminal', () => {
    const text = renderDiffTerminal(diff, { redact, color: false, columns: 60 });
    expect(text).toMatch(
      /Lost \(1\)\n {2}suite\/probe@demo\/one\n {4}pass -> fail \(http_error 400, schema_rejected\)/,
    );
    expect(Math.max(...text.split('\n').map((line) => widthOf(line)))).toBeLessThanOrEqual(60);
    expect(text).not.toContain('\u001b');
  });

  test('never says that nothing was lost where something may have been', () => {
    const passing = aReport({ cells: [aReportCell({}), aReportCell({ probe: 'unlucky' })] });
    const failing = aReport({
      cells: [aReportCell({}), aReportCell({ probe: 'unlucky', verdict: 'fail', class: 'not_json' })],
    });
    const said = (...reports: Parameters<typeof diffRuns>) =>
      renderDiffTerminal(diffRuns(...reports), { redact, color: false, columns: 400 })
        .trimEnd()
        .split('\n')
        .at(-1);
    expect(said(passing, failing)).toBe(
      'Nothing proved lost of the 2 cells that were compared, 0 gained. 1 cell passed less often, which could be chance; --profile certify asks until it is known.',
    );
    const [certified, worse] = [passing, failing].map((one) => ({ ...one, run: { ...one.run, profile: 'certify' } }));
    expect(said(certified!, worse!)).toBe(
      'Nothing proved lost of the 2 cells that were compared, 0 gained. 1 cell passed less often, which could be chance; more trials of both can tell, such as --trials 60.',
    );
    const { digests } = failing.run;
    for (const other of ['suites', 'schemas']) {
      const changed = { ...failing, run: { ...failing.run, digests: { ...digests, [other]: 'another' } } };
      expect(said(passing, changed)).toContain(
        '. The suites of the two runs differ, so a cell may have changed because its probe did.',
      );
    }
    expect(said(failing, passing)).toBe('Nothing lost of the 2 cells that were compared, 0 gained.');
    expect(said(passing, passing)).toBe('Nothing lost of the 2 cells that were compared, 0 gained.');
  });

  test('names models of which no cell is left', () => {
    const failure = { class: 'http_error', reason: 'model_not_found', status: 404, detail: hostile } as const;
    const of = (...changes: Partial<ReportModel>[]) =>
      aReport({
        models: changes.map((one, index) => aReportModel(`demo/m${index}`, one)),
        cells: changes.map(({ reachable = true }, index) =>
          aReportCell({ model: `demo/m${index}`, verdict: reachable ? 'pass' : 'inconclusive' }),
        ),
      });
    const gone = { reachable: false, standing: 'gone', unreachable: failure } as const;
    const down = {
      ...gone,
      standing: 'known',
      unreachable: { ...failure, reason: 'overloaded', status: 503 },
    } as const;
    const text = (...models: Partial<ReportModel>[]) =>
      renderDiffTerminal(diffRuns(of({}, {}, {}), of({}, ...models)), { redact, color: false, columns: 200 });
    expect(text(gone, down)).toContain(
      [
        'Gone (1)',
        '  demo/m1',
        '    1 of 1 cell passed -> the service does not know the model (http_error 404, model_not_found): mail [redacted] | `y` \\u001b[31m <b>',
        '',
        'Could not be measured (1)',
        '  demo/m2',
        '    1 of 1 cell passed -> even a plain request failed (http_error 503, overloaded): mail',
      ].join('\n'),
    );
    const summary = (...models: Partial<ReportModel>[]) =>
      text(...models)
        .trimEnd()
        .split('\n')
        .at(-1);
    expect(summary(gone, {})).toBe(
      '1 model is gone: demo/m1. 0 cells lost, 0 gained. 1 cell was judged in only one run and was not compared.',
    );
    expect(summary(down, down)).toBe(
      '2 models could not be measured: demo/m1, demo/m2. Nothing lost of the one cell that was compared, 0 gained. 2 cells were judged in only one run and were not compared.',
    );
  });

  test('says of nothing both that it is lost and that it could be chance', () => {
    const text = renderDiffTerminal(diff, { redact, color: false, columns: 120 });
    const section = (title: string) => text.split('\n\n').find((part) => part.startsWith(title)) ?? '';
    expect(section('Lost')).not.toContain('chance');
    expect(section('Gained')).not.toContain('chance');
    expect(section('Rates (2)')).toMatch(
      /suite\/unlucky@demo\/one\n {4}1 of 1 -> 0 of 1 \(could be chance\)\n {2}suite\/find@demo\/one\n {4}passes from 512 -> 576 \(could be chance\)/,
    );
    expect(section('Thresholds')).toBe('');
  });

  test('names the model that passes less often as a whole', () => {
    const cells = (passed: number) =>
      Array.from({ length: 20 }, (_, index) =>
        aReportCell({
          point: { n: String(index) },
          verdict: passed < 10 ? 'flaky' : 'pass',
          trials: { passed, total: 10 },
        }),
      );
    const whole = diffRuns(aReport({ cells: cells(10) }), aReport({ cells: cells(8) }));
    expect(renderDiffMarkdown(whole, redact)).toContain(
      '## More answers fail (1)\n\n| what | change |\n| --- | --- |\n| `demo/one` | 200 of 200 -&gt; 160 of 200 first trials in 20 cells |',
    );
  });

  test('has the same content as JSON', () => {
    const json = JSON.parse(renderDiffJson(diff, redact)) as typeof diff;
    expect(json).toMatchObject({ format: 'chatspec-diff/1', kind: 'runs', lost: [{ cell: 'suite/probe@demo/one' }] });
    expect(JSON.stringify(json)).not.toContain('x@example.com');
  });
});
