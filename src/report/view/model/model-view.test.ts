import { expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../../../test/support/build.js';
import { modelViews } from './model-view.js';

const model = 'demo/one';

test('a model page counts what was judged and says why the rest was not', () => {
  const cells = [
    aReportCell({ key: `s/a@${model}`, model }),
    aReportCell({ key: `s/b@${model}`, model, verdict: 'fail', class: 'not_json' }),
    aReportCell({ key: `s/c@${model}`, model, verdict: 'blocked', detail: 'needs s/b' }),
    aReportCell({ key: `s/d@${model}`, model, verdict: 'blocked', detail: 'needs s/b' }),
    aReportCell({ key: `s/e@${model}`, model, verdict: 'not_run', detail: 'the budget was spent' }),
  ];
  expect(modelViews(aReport({ models: [aReportModel(model)], cells }), null)).toMatchObject([
    {
      ...{ passed: 1, judged: 2 },
      unmeasured: [
        { why: 'blocked: needs s/b', cells: [`s/c@${model}`, `s/d@${model}`] },
        { why: 'not run: the budget was spent', cells: [`s/e@${model}`] },
      ],
    },
  ]);
});

test('the keyword map shows both channels side by side', () => {
  const cells = [
    aReportCell({ key: 'k/a', model, capability: 'schema.minimum', enforcement: 'ignored', verdict: 'fail' }),
    aReportCell({ key: 'k/b', model, capability: 'tool_schema.minimum', enforcement: 'enforced' }),
    aReportCell({ key: 'k/c', model, capability: 'schema.enum', enforcement: 'refused', verdict: 'fail' }),
    aReportCell({ key: 'k/d', model, capability: 'chat' }),
  ];
  expect(modelViews(aReport({ models: [aReportModel(model)], cells }), null)[0]?.keywords).toEqual([
    { keyword: 'enum', channels: { schema: [{ key: 'k/c', enforcement: 'refused' }], tool_schema: [] } },
    {
      keyword: 'minimum',
      channels: {
        schema: [{ key: 'k/a', enforcement: 'ignored' }],
        tool_schema: [{ key: 'k/b', enforcement: 'enforced' }],
      },
    },
  ]);
});

test('a search becomes a curve with its settings', () => {
  const threshold = {
    value: 512,
    last_failing: 256,
    monotonic: true,
    curve: [[256, 0, 3] as const, [512, 3, 3] as const],
  };
  const cells = [
    aReportCell({ key: 'b/x', model, capability: 'budget.chat', point: { thinking: 'disabled' }, threshold }),
  ];
  expect(modelViews(aReport({ models: [aReportModel(model)], cells }), null)[0]?.budgets).toMatchObject([
    {
      settings: 'thinking=disabled',
      threshold: 512,
      points: [
        { x: 256, rate: 0 },
        { x: 512, rate: 1 },
      ],
    },
  ]);
});
