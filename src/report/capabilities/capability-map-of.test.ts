import { expect, test } from 'vitest';
import { aReport, aReportCell } from '../../../test/support/build.js';
import type { ReportCapability } from '../../matrix/report-format.js';
import { wilson } from '../../stats/count.js';
import { capabilityMapOf } from './capability-map-of.js';
import { litellmFlags, modelsDevFields } from './supports-flags.js';

const model = 'demo/sim-reference';

function trials(passed: number, total: number) {
  return { total, passed, faults: 0, interval: wilson(passed, total), needed: 0 };
}

function mapOf(capability: Partial<ReportCapability>, cells: Parameters<typeof aReportCell>[0][]) {
  const made = cells.map((cell) => aReportCell(cell));
  const one: ReportCapability = {
    ...{ model, capability: 'json_schema', verdict: 'pass', condition: null, cells: made.map(({ key }) => key) },
    ...capability,
  };
  return capabilityMapOf(aReport({ cells: made, capabilities: [one] }));
}

test.each([
  ['pass', true],
  ['flaky', false],
  ['fail', false],
  ['inconclusive', null],
] as const)('a capability that is %s is supported: %s', (verdict, supported) => {
  expect(mapOf({ verdict }, []).capabilities[0]).toMatchObject({ verdict, supported });
});

test('what passes in part is supported with the settings that pass, and only their trials speak for it', () => {
  const cells = [
    { key: `s/p[max_tokens=512]@${model}`, point: { max_tokens: '512' }, verdict: 'fail', trials: trials(0, 4) },
    { key: `s/p[max_tokens=2048]@${model}`, point: { max_tokens: '2048' }, trials: trials(7, 7) },
    { key: `s/p[max_tokens=4096]@${model}`, point: { max_tokens: '4096' }, trials: trials(3, 3) },
  ] as const;
  const condition = 'max_tokens >= 2048';
  const known = mapOf(
    { verdict: 'partial', condition, settings: { max_tokens: '2048' }, request: { max_tokens: 2048 } },
    [...cells],
  );
  expect(known.capabilities[0]).toMatchObject({
    ...{ supported: true, condition, settings: { max_tokens: '2048' }, request: { max_tokens: 2048 } },
    ...{ trials: { passed: 10, total: 10 }, interval: wilson(10, 10) },
  });
  const unknown = mapOf({ verdict: 'partial', condition: 'not with probe s/p' }, [...cells]);
  expect(unknown.capabilities[0]).toMatchObject({ supported: false, trials: { passed: 10, total: 14 } });
});

test('what was not judged does not count', () => {
  const { capabilities } = mapOf({ verdict: 'inconclusive' }, [{ verdict: 'inconclusive', trials: trials(0, 0) }]);
  expect(capabilities[0]).toMatchObject({ supported: null, trials: { passed: 0, total: 0 }, interval: [0, 1] });
});

test('evidence expires the given days after the end of the run', () => {
  const report = aReport({
    capabilities: [{ model, capability: 'chat', verdict: 'pass', condition: null, cells: [] }],
  });
  const { date } = capabilityMapOf(report).capabilities[0]!;
  expect(date).toBe(report.run.finished_at);
  const after = (days: number) => Date.parse(capabilityMapOf(report, days).capabilities[0]!.expires) - Date.parse(date);
  expect([after(1), after(30)]).toEqual([86_400_000, 30 * 86_400_000]);
});

test('evidence of a run that was resumed after days is as old as its first answers', () => {
  const { run, ...report } = aReport({
    capabilities: [{ model, capability: 'chat', verdict: 'pass', condition: null, cells: [] }],
  });
  const began = new Date(Date.parse(run.finished_at!) - 31 * 86_400_000).toISOString();
  const resumed = { ...report, run: { ...run, started_at: began } };
  expect(capabilityMapOf(resumed).capabilities[0]!.date).toBe(began);
});

test('the digest changes with what was found and what shows it, and with nothing else', () => {
  const digestOf = (cell: Parameters<typeof aReportCell>[0]) => mapOf({}, [cell]).capabilities[0]!.evidence;
  const same = digestOf({ exchanges: ['e1', 'e2'] });
  expect(digestOf({ exchanges: ['e1', 'e2'], title: 'Another title' })).toBe(same);
  expect(digestOf({ exchanges: ['e1', 'e3'] })).not.toBe(same);
  expect(digestOf({ exchanges: ['e1', 'e2'], verdict: 'fail' })).not.toBe(same);
});

test('flags of other catalogues: one supported form is enough, and what was not measured is left out', () => {
  const { id, model: name } = aReport().models[0]!;
  const of = (capability: string, verdict: ReportCapability['verdict']): ReportCapability => ({
    ...{ model: id, capability, verdict, condition: null, cells: [] },
  });
  const map = capabilityMapOf(
    aReport({
      capabilities: [
        of('tool_choice.required', 'pass'),
        of('tool_choice.object', 'fail'),
        of('json_schema', 'flaky'),
        of('stream.chat', 'inconclusive'),
      ],
    }),
  );
  expect(litellmFlags(map)).toEqual({
    [name]: {
      ...{ mode: 'chat', supports_function_calling: true, supports_tool_choice: true },
      supports_response_schema: false,
    },
  });
  expect(modelsDevFields(map)).toEqual({ [name]: { id: name, tool_call: true, structured_output: false } });
});
