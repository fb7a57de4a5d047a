import { expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../../test/support/build.js';
import { renderMarkdown } from '../markdown/render-markdown.js';
import { renderTerminal } from '../terminal/render-terminal.js';
import { unmeasuredReasons } from './unmeasured-reasons.js';

const unmeasured = (probe: string, changes: Partial<Parameters<typeof aReportCell>[0]> = {}) =>
  aReportCell({ probe, verdict: 'inconclusive', class: 'truncated', detail: 'every reply was cut off', ...changes });
const context = { redact: (text: string) => text, color: false, columns: 200, folder: null, exit: undefined } as never;
const whole = async (rendered: AsyncIterable<string> | Iterable<string> | Promise<string> | string) => {
  const all = await rendered;
  if (typeof all === 'string') return all;
  let text = '';
  for await (const part of all) text += part;
  return text;
};

test('cells that could not be measured are named with the reason, those with the same one together', async () => {
  const report = aReport({ cells: [unmeasured('a'), unmeasured('b'), unmeasured('c', { detail: 'another reason' })] });
  const [first, second] = unmeasuredReasons(report);
  expect([first?.others, first?.why, second?.others, second?.why]).toEqual([
    ...['and 1 more cell', 'every reply was cut off', '', 'another reason'],
  ]);
  const [terminal, page] = await Promise.all([
    whole(renderTerminal(report, context)),
    whole(renderMarkdown(report, context)),
  ]);
  expect(terminal).toContain(`Could not be measured (2)\n  ${first?.key} and 1 more cell: every reply was cut off\n`);
  expect(page).toContain('## Could not be measured');
  expect(page).toContain('another reason');
});

test('what was judged, what is told as a group, and models that were not reached have their own words', () => {
  const lost = aReportModel('demo/lost', { reachable: false });
  const told = unmeasured('told');
  const report = aReport({
    cells: [aReportCell({ probe: 'passes' }), told, unmeasured('lost', { model: 'demo/lost' })],
    unmeasured: [{ cells: [told.key] } as never],
  });
  expect(unmeasuredReasons({ ...report, models: [...report.models, lost] })).toEqual([]);
});
