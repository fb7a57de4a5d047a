import { describe, expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../../test/support/build.js';
import { commands, markup } from '../../../test/support/hostile-texts.js';
import { parseOpenMetrics } from '../../../test/support/openmetrics.js';
import { syntheticMatrix } from '../../../test/support/synthetic-matrix.js';
import type { Report } from '../../matrix/report-format.js';
import { deviationsOf } from '../../matrix/standing/deviations.js';
import type { RenderContext } from '../render.js';
import { redactor } from '../safe/redact.js';
import { renderOpenMetrics } from './render-openmetrics.js';

const exit = { failOn: 'deviation', interrupted: false, maxUnmeasured: 0.1, shard: false } as const;

async function textOf(report: Report, context: Partial<RenderContext> = { exit }): Promise<string> {
  let text = '';
  for await (const piece of renderOpenMetrics(report, { redact: redactor(), ...context })) text += piece;
  return text;
}

const familiesIn = async (report: Report, context?: Partial<RenderContext>) =>
  new Map(parseOpenMetrics(await textOf(report, context)).map((family) => [family.name, family]));

describe('openmetrics.txt', () => {
  test('has the verdicts, rates and deviations of the report, by model and capability', async () => {
    const { report } = await syntheticMatrix();
    const found = await familiesIn(report);
    const values = (name: string, labels: Readonly<Record<string, string>> = {}) =>
      (found.get(name)?.metrics ?? []).filter((one) =>
        Object.entries(labels).every(([label, value]) => one.labels[label] === value),
      );
    const sum = (name: string, labels?: Readonly<Record<string, string>>) =>
      values(name, labels).reduce((before, { value }) => before + value, 0);
    expect(sum('chatspec_deviations')).toBe(deviationsOf(report).length);
    expect(values('chatspec_capability_verdict')).toHaveLength(report.capabilities.length);
    expect(sum('chatspec_run_exit_code')).toBe(1);
    expect(sum('chatspec_run_requests')).toBe(report.run.requests);
    const conflict = { model: 'demo/sim-wobbly', capability: 'strict.conflict' };
    const { passed, total } = report.cells.find(
      (cell) => cell.model === conflict.model && cell.capability === conflict.capability,
    )!.trials;
    expect(sum('chatspec_pass_ratio', conflict)).toBeCloseTo(passed / total);
    expect(values('chatspec_model_gone', { model: 'demo/sim-gone' })).toMatchObject([{ value: 1 }]);
    expect(found.get('chatspec_answer_seconds')).toMatchObject({ type: 'summary', unit: 'seconds' });
  });

  test('has nothing that a Pushgateway refuses: no other types, and no escapes in help', async () => {
    const text = await textOf((await syntheticMatrix()).report);
    const types = [...text.matchAll(/^# TYPE \S+ (\w+)$/gm)].map(([, type]) => type);
    expect([...new Set(types)].sort()).toEqual(['gauge', 'summary']);
    expect(text).not.toMatch(/^# HELP .*["\\]/m);
  });

  test('gives seconds, and no sum that nobody knows', async () => {
    const times = {
      kind: 'text',
      stream: null,
      answers: 7,
      headers_ms: null,
      first_content_ms: null,
      tokens_per_second: null,
      tokens: null,
    } as const;
    const latency = [{ model: 'demo/one', cost: null, ...times, total_ms: { p50: 1500, p95: 4000 } }];
    const { metrics } = (await familiesIn(aReport({ latency }))).get('chatspec_answer_seconds')!;
    const labels = { model: 'demo/one', kind: 'text', stream: 'any' };
    expect(metrics).toEqual([
      { name: 'chatspec_answer_seconds', labels: { ...labels, quantile: '0.5' }, value: 1.5 },
      { name: 'chatspec_answer_seconds', labels: { ...labels, quantile: '0.95' }, value: 4 },
      { name: 'chatspec_answer_seconds_count', labels, value: 7 },
    ]);
  });

  test('leaves out what is not known, such as the exit code of a report that stands alone', async () => {
    const found = await familiesIn(aReport(), {});
    expect(found.has('chatspec_run_exit_code')).toBe(false);
    expect(found.has('chatspec_run_cost')).toBe(false);
    expect(found.get('chatspec_run_complete')?.metrics).toMatchObject([{ value: 1 }]);
  });

  test.each([commands, markup, 'a"b\\c\nd', '\u202e\u0000\u0085'])('escapes hostile names: %j', async (text) => {
    const report = aReport({
      models: [aReportModel(text), aReportModel(`${text}\\`)],
      cells: [text, `${text}\\`].map((id) => aReportCell({ model: id, capability: id })),
    });
    const found = await familiesIn(report);
    expect(found.get('chatspec_model_reachable')?.metrics).toHaveLength(2);
    const [model] = found.get('chatspec_model_reachable')!.metrics;
    if (text.startsWith('a')) expect(model?.labels).toEqual({ model: text });
    expect(await textOf(report)).not.toMatch(/^\s*::\w|##\[|[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/m);
  });
});
