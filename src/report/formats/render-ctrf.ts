import type { Report } from '../../matrix/report-format.js';
import { countStates, testCases, cellTimes, type TestCase, type TestCaseSources } from './test-cases.js';
import { visible, safeJsonText } from '../safe/escape.js';
import { shownReport } from '../safe/shown-report.js';

/**
 * An unmeasured cell is neither passed nor failed. Unlike in JUnit, `failed` and nothing else is red for
 * readers of CTRF, so that the run as a whole has to fail where too little was measured.
 */
const statuses = { passed: 'passed', failed: 'failed', skipped: 'skipped', error: 'other' } as const satisfies Readonly<
  Record<TestCase['state'], string>
>;

/** CTRF JSON (https://ctrf.io) with the test cases of junit.xml. */
export async function renderCtrf(report: Report, { redact, ...context }: TestCaseSources): Promise<string> {
  const clean = shownReport(report, redact);
  const { run } = clean;
  const cases = testCases(clean, context).map((one): TestCase =>
    one.cell === null ? { ...one, state: redState(one) } : one,
  );
  const times = await cellTimes(report, context);
  const { passed, failed, skipped, error } = countStates(cases);
  const start = Date.parse(run.started_at);
  const stop = run.finished_at === null ? start : Date.parse(run.finished_at);
  const flaky = cases.filter(({ cell }) => cell?.verdict === 'flaky').length;
  const document = {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    runId: run.id,
    generatedBy: `${run.tool.name} ${run.tool.version}`,
    ...(run.finished_at !== null && { timestamp: run.finished_at }),
    results: {
      tool: { name: run.tool.name, version: run.tool.version },
      summary: {
        tests: cases.length,
        passed,
        failed,
        skipped,
        pending: 0,
        other: error,
        suites: new Set(cases.map(({ group }) => group)).size,
        start,
        stop,
        duration: stop - start,
        extra: { flaky_cells: flaky, requests: run.requests, total_tokens: run.usage.total_tokens, cost: run.cost },
      },
      tests: cases.map((one) => ctrfTest(one, times.get(one.cell?.key ?? '') ?? 0)),
      environment: { extra: { profile: run.profile, seed: run.seed, complete: run.complete, digests: run.digests } },
    },
  };
  return `${safeJsonText(document)}\n`;
}

const redState = ({ state }: TestCase): TestCase['state'] => (state === 'error' ? 'failed' : state);

function ctrfTest({ group, name, place, cell, state, type, message, lines }: TestCase, duration: number): object {
  return {
    testId: visible(cell?.key ?? `${place}: ${name}`),
    name: visible(name),
    status: statuses[state],
    duration,
    suite: cell === null ? [visible(group)] : [visible(group), visible(cell.suite)],
    ...(message !== null && { message: visible(message) }),
    ...(state !== 'passed' && lines.length > 0 && { trace: visible(lines.join('\n')) }),
    ...(type !== null && { rawStatus: visible(type) }),
    type: 'conformance',
    ...(cell !== null && labelled(cell)),
  };
}

function labelled(cell: NonNullable<TestCase['cell']>): object {
  const { model, capability, verdict, standing, point, trials } = cell;
  return {
    labels: { model, capability, verdict, ...(standing !== null && { standing }) },
    ...(Object.keys(point).length > 0 && { parameters: point }),
    extra: { title: cell.title, trials },
  };
}
