import { describe, expect, test } from 'vitest';
import { aReport, aReportCell } from '../../../test/support/build.js';
import { diffRuns } from '../../matrix/diff/diff-reports.js';
import { redactor } from '../safe/redact.js';
import { renderDiffJson, renderDiffMarkdown, renderDiffTerminal } from './render-diff.js';

const redact = redactor(['secret']);
const tools = (probe: string) => ({ probe, capability: 'tools' });
const refused = { class: 'http_error', reason: 'server_error', status: 500, detail: 'secret | boom' } as const;
const of = (passed: number, more = {}) => ({ verdict: 'pass', trials: { passed, total: 3 }, ...more }) as const;
const base = aReport({ cells: ['a', 'b', 'c'].map((probe) => aReportCell({ ...tools(probe), ...of(3) })) });
const head = aReport({
  cells: [
    ...['a', 'b'].map((probe) => aReportCell({ ...tools(probe), ...of(0, { verdict: 'fail', ...refused }) })),
    aReportCell({ ...tools('c'), ...of(2, { verdict: 'flaky', class: 'not_json' }) }),
  ],
});
const diff = diffRuns(base, head);

test('cells that fail for one reason are one row, and what may be chance stands last', () => {
  const headings = renderDiffMarkdown(diff, { redact, runs: [], head }).matchAll(/^## (.*) \((\d+)\)$/gm);
  expect([...headings].map(([, title = '', rows]) => [/chance/.test(title), rows])).toEqual([
    [false, '1'],
    [true, '1'],
  ]);
});

test('what was lost is advised about by what else the model can do', () => {
  const recommendations = [
    {
      ...({ model: 'demo/m', need: 'tool_call', form: 'tool_choice.required', settings: {}, because: '' } as const),
      ...{ caveats: [], alternatives: [], trials: { passed: 12, total: 12, cells: 3 } },
    },
  ];
  const { model } = head.cells[0] ?? {};
  const columns = [{ id: 'tools', title: 'Tools', families: ['tools'] }];
  const knowing = { ...head, columns, recommendations: recommendations.map((one) => ({ ...one, model: model ?? '' })) };
  const rows = [head, knowing].map((one) => renderDiffMarkdown(diff, { redact, runs: [], head: one }));
  expect(rows.map((text) => text.includes('12 of 12'))).toEqual([false, true]);
});

test('models that show the same are one row, and their advice stands where it is the same', () => {
  const ids = ['demo/one', 'demo/two'] as const;
  const cellsOf = (changes: object) =>
    ids.flatMap((model) => ['a', 'b'].map((probe) => aReportCell({ ...tools(probe), model, ...changes })));
  const before = aReport({ cells: cellsOf(of(3)) });
  const columns = [{ id: 'tools', title: 'Tools', families: ['tools'] }];
  const way = { need: 'tool_call', form: 'tool_choice.required', settings: {}, because: '' } as const;
  const markdownWhere = (counts: readonly number[]) => {
    const recommendations = counts.map((passed, index) => ({
      ...{
        ...way,
        model: ids[index] ?? '',
        caveats: [],
        alternatives: [],
        trials: { passed, total: passed, cells: 1 },
      },
    }));
    const now = aReport({ cells: cellsOf(of(0, { verdict: 'fail', ...refused })), columns, recommendations });
    return renderDiffMarkdown(diffRuns(before, now), { redact, runs: [], head: now });
  };
  const [same, other] = [markdownWhere([7, 7]), markdownWhere([7, 8])];
  for (const text of [same, other]) {
    expect(text).toContain('(1)');
    expect(text).toContain('demo/one and demo/two');
    expect(text).toContain('12/12');
  }
  expect([same.includes('7 of 7'), /7 of 7|8 of 8/.test(other)]).toEqual([true, false]);
});

describe('each format', () => {
  const shown = { redact, runs: ['runs/one', 'runs/two'], head };

  test('names the folders and hides what is redacted', () => {
    const terminal = renderDiffTerminal(diff, { ...shown, color: false, columns: 60 });
    const markdown = renderDiffMarkdown(diff, shown);
    for (const text of [terminal, markdown, renderDiffJson(diff, redact)]) expect(text).not.toContain('secret');
    expect(terminal).toContain('From runs/one to runs/two');
    expect(Math.max(...terminal.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
    expect(markdown).toContain('&#124; boom');
  });
});
