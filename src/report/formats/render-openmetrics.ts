import { isJudged } from '../../cell/verdict.js';
import { groupBy } from '../../json/group-by.js';
import type { Report, ReportCell, ReportRun } from '../../matrix/report-format.js';
import { deviationsOf, type Deviation } from '../../matrix/standing/deviations.js';
import { exitCode as exitCodeOf } from '../../matrix/run-exit-code.js';
import { redactedReport } from '../safe/shown-report.js';
import type { RenderContext } from '../render.js';
import { visible, inert } from '../safe/escape.js';

const deviationKinds: readonly Deviation['kind'][] = ['regression', 'changed', 'improvement', 'new', 'gone', 'wire'];

/** OpenMetrics 1.0 text: verdicts, rates, latency and spend, by model and capability. */
export async function* renderOpenMetrics(
  report: Report,
  { redact, exit, summary }: Pick<RenderContext, 'redact' | 'exit' | 'summary'>,
): AsyncIterable<string> {
  const code = exit === undefined ? (summary?.exit_code ?? null) : exitCodeOf(report, exit);
  yield* await Promise.resolve(exposition(metricFamilies(redactedReport(report, redact), code)));
}

/** Metrics of a run for a dashboard. The names are public: docs/run-folder.md describes them. */
function metricFamilies(report: Report, exitCode: number | null): readonly Family[] {
  return [...ofRun(report.run, exitCode), ...ofModels(report), ...ofCapabilities(report), ofTimes(report)];
}

const gauge = (name: string, help: string, samples: readonly MetricSample[], unit?: Family['unit']): Family => ({
  name,
  type: 'gauge',
  help,
  samples,
  ...(unit && { unit }),
});

const sample = (value: number, labels: MetricLabels = {}): MetricSample => ({ labels, value });

function ofRun(run: ReportRun, exitCode: number | null): Family[] {
  const { complete, requests, usage, cost } = run;
  return [
    gauge('chatspec_run_complete', '1: all of the run was asked; 0: it is truncated.', numbers(complete ? 1 : 0)),
    gauge('chatspec_run_exit_code', 'The exit code of the run; absent if it is not known.', numbers(exitCode)),
    gauge('chatspec_run_requests', 'Requests that the run sent.', numbers(requests)),
    gauge('chatspec_run_tokens', 'Tokens that the run used, as the services count them.', tokens({}, usage)),
    gauge('chatspec_run_cost', 'What the run cost, in the currency of the configured prices.', numbers(cost)),
  ];
}

/** None for what is not known. */
const numbers = (value: number | null): MetricSample[] =>
  value === null || Number.isNaN(value) ? [] : [sample(value)];

function tokens(labels: MetricLabels, usage: ReportRun['usage']): MetricSample[] {
  return [
    sample(usage.prompt_tokens, { ...labels, kind: 'prompt' }),
    sample(usage.completion_tokens, { ...labels, kind: 'completion' }),
    sample(usage.reasoning_tokens, { ...labels, kind: 'reasoning' }),
    ...(usage.cached_tokens === undefined ? [] : [sample(usage.cached_tokens, { ...labels, kind: 'cached' })]),
    sample(usage.total_tokens, { ...labels, kind: 'total' }),
  ];
}

function ofModels(report: Report): Family[] {
  const { models } = report;
  const deviations = deviationsOf(report);
  const ids = models.map(({ id }) => id);
  const number = (model: string, kind: Deviation['kind']): number =>
    deviations.filter((one) => one.model === model && one.kind === kind).length;
  return [
    gauge(
      'chatspec_model_reachable',
      '1: the model answered a plain request; 0: it did not.',
      models.map(({ id, reachable }) => sample(reachable ? 1 : 0, { model: id })),
    ),
    gauge(
      'chatspec_model_gone',
      '1: the service no longer knows the model.',
      models.map(({ id, standing }) => sample(standing === 'gone' ? 1 : 0, { model: id })),
    ),
    gauge(
      'chatspec_deviations',
      'Deviations from the baseline, by kind. Any makes the exit code 1.',
      ids.flatMap((model) => deviationKinds.map((kind) => sample(number(model, kind), { model, kind }))),
    ),
  ];
}

function ofCapabilities({ cells, capabilities }: Report): Family[] {
  const groups = [...groupBy(cells, ({ model, capability }) => `${model} ${capability}`).values()].flatMap((ofBoth) => {
    const [first] = ofBoth;
    return first === undefined ? [] : [{ labels: { model: first.model, capability: first.capability }, cells: ofBoth }];
  });
  const sum = (some: readonly ReportCell[], of: (trials: ReportCell['trials']) => number): number =>
    some.reduce((before, { trials }) => before + of(trials), 0);
  return [
    gauge(
      'chatspec_capability_verdict',
      '1 for the verdict of the capability: pass, partial, flaky, fail or inconclusive.',
      capabilities.map(({ model, capability, verdict }) => sample(1, { model, capability, verdict })),
    ),
    gauge(
      'chatspec_pass_ratio',
      'The share of judged trials that passed; absent where nothing was judged.',
      groups.flatMap((group) => {
        const judged = group.cells.filter(isJudged);
        const total = sum(judged, (trials) => trials.total);
        return total === 0 ? [] : [sample(sum(judged, ({ passed }) => passed) / total, group.labels)];
      }),
      'ratio',
    ),
  ];
}

function ofTimes({ latency = [] }: Report): Family {
  const samples = latency.flatMap((one): MetricSample[] => {
    const { model, kind, stream, total_ms: quantiles, answers } = one;
    const labels = { model, kind, stream: stream === null ? 'any' : String(stream) };
    if (quantiles === null) return [];
    return [
      sample(quantiles.p50 / 1000, { ...labels, quantile: '0.5' }),
      sample(quantiles.p95 / 1000, { ...labels, quantile: '0.95' }),
      { suffix: '_count', labels, value: answers },
    ];
  });
  const help = 'Time until the end of an answer, of trials that passed.';
  return { name: 'chatspec_answer_seconds', type: 'summary', unit: 'seconds', help, samples };
}

type MetricLabels = Readonly<Record<string, string>>;

/** One line. A suffix of the type follows the name of its family: `_count` of a summary. */
interface MetricSample {
  readonly suffix?: '_count';
  readonly labels: MetricLabels;
  readonly value: number;
}

/**
 * A metric family of OpenMetrics 1.0; the name ends in the unit, if there is one. Of the types only those that the
 * older text format of Prometheus has as well, which a Pushgateway and the text collector of node_exporter read.
 */
interface Family {
  readonly name: string;
  readonly type: 'gauge' | 'summary';
  readonly unit?: 'seconds' | 'ratio';
  /** Without quotation marks, which the two formats escape differently. */
  readonly help: string;
  readonly samples: readonly MetricSample[];
}

/** The families as OpenMetrics text. Those without samples are left out. */
function* exposition(families: readonly Family[]): Iterable<string> {
  for (const { name, type, unit, help, samples } of families) {
    if (samples.length === 0) continue;
    yield `# TYPE ${name} ${type}\n`;
    if (unit !== undefined) yield `# UNIT ${name} ${unit}\n`;
    yield `# HELP ${name} ${help}\n`;
    for (const { suffix = '', labels, value } of samples) {
      yield `${name}${suffix}${labelText(labels)} ${metricNumber(value)}\n`;
    }
  }
  yield '# EOF\n';
}

/** An empty label is the same as none. */
function labelText(labels: MetricLabels): string {
  const pairs = Object.entries(labels).filter(([, value]) => value !== '');
  if (pairs.length === 0) return '';
  return `{${pairs.map(([name, value]) => `${name}="${escapedLabelValue(inert(visible(value)))}"`).join(',')}}`;
}

function escapedLabelValue(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}

function metricNumber(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  return String(value);
}
