import { describe, expect, test } from 'vitest';
import { aReport, aReportCell } from '../../../test/support/build.js';
import { diffRuns } from '../../matrix/diff/diff-reports.js';
import { redactor } from '../safe/redact.js';
import { renderDiffJson, renderDiffMarkdown, renderDiffTerminal } from './render-diff.js';
import widthOf from 'string-width';

const redact = redactor();
const hostile = 'mail x@example.com | `y` \u001b[31m <b>';
const diff = diffRuns(
  aReport({
    cells: [
      aReportCell({ quirks: ['done_missing'] }),
      aReportCell({ probe: 'other', verdict: 'fail', class: 'not_json' }),
    ],
  }),
  aReport({
    cells: [aReportCell({ verdict: 'fail', class: 'not_json', detail: hostile }), aReportCell({ probe: 'other' })],
  }),
);

describe('a diff', () => {
  test('is readable Markdown', () => {
    const text = renderDiffMarkdown(diff, redact);
    expect(text).toContain('1 cell lost, 1 gained.');
    expect(text).toContain(
      '| `suite/probe@demo/one` | pass \\-&gt; fail (not\\_json): mail \\[redacted\\] \\| \\`y\\` \\\\u001b\\[31m &lt;b&gt; |'.replace(
        '(not\\_json)',
        '\\(not\\_json\\)',
      ),
    );
    expect(text).toContain('\\- done\\_missing');
  });

  test('fits the terminal', () => {
    const text = renderDiffTerminal(diff, { redact, color: false, columns: 60 });
    expect(text).toMatch(/Lost \(1\)\n {2}suite\/probe@demo\/one\n {4}pass -> fail \(not_json\)/);
    expect(Math.max(...text.split('\n').map((line) => widthOf(line)))).toBeLessThanOrEqual(60);
    expect(text).not.toContain('\u001b');
  });

  test('has the same content as JSON', () => {
    const json = JSON.parse(renderDiffJson(diff, redact)) as typeof diff;
    expect(json).toMatchObject({ format: 'chatspec-diff/1', kind: 'runs', lost: [{ cell: 'suite/probe@demo/one' }] });
    expect(JSON.stringify(json)).not.toContain('x@example.com');
  });
});
