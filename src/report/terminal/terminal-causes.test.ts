import { createColors } from 'picocolors';
import { expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../../test/support/build.js';
import { causesOf } from '../view/causes/causes-of.js';
import { causeLines } from './terminal-causes.js';

const lost = (probe: string, model: string, status = 500) =>
  aReportCell({ probe, model, standing: 'regression', verdict: 'fail', class: 'http_error', status });

const linesOf = (cells: Parameters<typeof aReport>[0] & object, columns = 200): readonly string[] =>
  causeLines(causesOf(aReport(cells), 'r'), columns, createColors(false));

test('the first cause stands with its command on one line where there is room, and on two where there is none', () => {
  const cells = [lost('a', 'demo/one')];
  const command = 'chatspec evidence r suite/a@demo/one';
  expect(linesOf({ cells })[0]).toBe(`▼ one: chat now fails with HTTP 500 (1 cell): ${command}`);
  expect(linesOf({ cells }, 60).slice(0, 2)).toEqual(['▼ one: chat now fails with HTTP 500 (1 cell)', `  ${command}`]);
});

test('no id of a model reaches the terminal as it is', () => {
  const model = 'demo/a\u001b[31m\r\n::error::x';
  const text = linesOf({ cells: [lost('a', model)], models: [aReportModel(model)] }, 500).join('\n');
  expect(text).not.toMatch(/\u001b|\r|\n::error/);
});

test('further causes are counted by kind', () => {
  const cells = Array.from({ length: 13 }, (_, index) => lost(`p${index}`, `demo/m${index}`, 500 + index));
  const models = cells.map(({ model }) => aReportModel(model));
  expect(linesOf({ cells, models }).at(-1)).toBe('  ... and 3 more causes (3 lost) in report.md and index.html');
});
