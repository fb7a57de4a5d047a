import { withoutModel } from '../../cell/cell-key.js';
import { groupBy } from '../../json/group-by.js';
import { deviationsOf } from '../../matrix/standing/deviations.js';
import type { Report, ReportCell } from '../../matrix/report-format.js';
import { deviationView } from '../view/deviation-view.js';
import { xmlText } from '../safe/escape.js';
import { shownReport } from '../view/shown-report.js';
import type { RenderContext } from '../render.js';
import { supportLine } from '../view/deviation-view.js';
import { isJudged } from '../../cell/verdict.js';
import { lackingText } from '../view/lacking-text.js';
import { intervalText, thresholdText, trialsText, whatFailed } from '../view/phrases.js';
import { unsettledText } from '../view/unsettled-text.js';

type Xml = Readonly<Record<string, unknown>>;

/**
 * JUnit XML with a suite for each model and a test case for each cell. A cell that does not pass is a failure, with the
 * reason; one that could not be measured, also because the run stopped, is an error; one that is blocked or was left out
 * is skipped; one that passed but lacks trials says so. Models that are
 * gone and changes of the wire have suites of their own.
 */
export async function renderJunit(report: Report, { redact }: Pick<RenderContext, 'redact'>): Promise<string> {
  const { default: XmlBuilder } = await import('fast-xml-builder');
  const clean = shownReport(report, redact);
  const suites = [...groupBy(clean.cells, ({ model }) => model)].map(([model, cells]) => ({
    ...attributes({ name: model, ...counts(cells), timestamp: clean.run.started_at }),
    testcase: cells.map((cell) => testCase(cell, lackingText(clean, cell))),
  }));
  const gone = deviationsOf(clean).filter(({ kind }) => kind === 'gone');
  const goneSuite = gone.map((deviation) => ({
    ...attributes({ name: `${deviation.model} (model)`, tests: 1, failures: 1, errors: 0, skipped: 0 }),
    testcase: [
      {
        ...attributes({ name: 'the service knows the model', classname: deviation.model }),
        failure: problem(deviationView(deviation).what, 'gone', deviationView(deviation).detail ?? ''),
      },
    ],
  }));
  const wire = deviationsOf(clean).filter((deviation) => deviation.kind === 'wire');
  const wireSuites = [...groupBy(wire, ({ model }) => model)].map(([model, ofModel]) => ({
    ...attributes({ name: `${model} (wire)`, tests: ofModel.length, failures: ofModel.length, errors: 0, skipped: 0 }),
    testcase: ofModel.map((deviation) => {
      const { what, detail, support } = deviationView(deviation);
      return {
        ...attributes({ name: `the wire format: ${deviation.quirk.quirk}`, classname: `wire.${model}` }),
        failure: problem(what, 'wire', [detail, support].filter(Boolean).join('\n')),
      };
    }),
  }));
  const builder = new XmlBuilder({ ignoreAttributes: false, format: true, suppressEmptyNode: true });
  return builder.build({
    '?xml': attributes({ version: '1.0', encoding: 'UTF-8' }),
    testsuites: {
      ...attributes({ name: 'chatspec', ...counts(clean.cells) }),
      testsuite: [...suites, ...goneSuite, ...wireSuites],
    },
  });
}

/** @param lacking says which planned trials are missing; null: none is */
function testCase(cell: ReportCell, lacking: string | null): Xml {
  const head = attributes({ name: nameOf(cell), classname: `${cell.suite}.${cell.model}` });
  const lines = [
    cell.detail,
    lacking,
    `${trialsText(cell)}; rate ${intervalText(cell.trials.interval)} (95 %)`,
    cell.threshold && `threshold: ${thresholdText(cell.threshold, cell.expected?.threshold)}`,
    cell.standing &&
      `compared with the baseline: ${cell.standing}${cell.unsettled ? ` (unconfirmed: ${unsettledText(cell)})` : ''}`,
    ...cell.failures.flatMap(({ violations }) => violations.map(({ at, message }) => `${at || '/'}: ${message}`)),
    supportLine(cell.failures[0]),
    `cell: ${cell.key}`,
  ];
  const body = lines.filter(Boolean).join('\n');
  const message = [whatFailed(cell), cell.detail].filter(Boolean).join(': ') || cell.verdict;
  switch (cell.verdict) {
    case 'pass':
      // Its stored threshold has risen: it passes, but no longer where it did.
      if (isRegression(cell)) return { ...head, failure: problem(risen(cell), 'regression', body) };
      return lacking === null ? head : { ...head, 'system-out': xmlText(lacking) };
    case 'fail':
    case 'flaky':
      return {
        ...head,
        failure: problem(cell.verdict === 'flaky' ? `flaky: ${message}` : message, cell.class ?? cell.verdict, body),
      };
    case 'inconclusive':
      return { ...head, error: problem(message, cell.class ?? 'inconclusive', body) };
    case 'blocked':
    case 'not_run':
      if (isUnmeasured(cell)) return { ...head, error: problem(cell.detail ?? cell.verdict, 'not_run', body) };
      return { ...head, skipped: attributes({ message: cell.detail ?? cell.verdict }) };
  }
}

/** It could not be measured: it met only faults, or it was not asked because something stopped. */
const isUnmeasured = ({ verdict, trials }: ReportCell): boolean =>
  verdict === 'inconclusive' || (!isJudged({ verdict }) && (trials.missing ?? 0) > 0);

const isRegression = ({ standing, unsettled }: ReportCell): boolean => standing === 'regression' && !unsettled;

function risen(cell: ReportCell): string {
  return deviationView({ kind: 'regression', model: cell.model, cell }).what;
}

function nameOf({ key, suite }: ReportCell): string {
  return withoutModel(key).slice(suite.length + 1);
}

function counts(cells: readonly ReportCell[]): Record<string, number> {
  const number = (...verdicts: readonly string[]) => cells.filter(({ verdict }) => verdicts.includes(verdict)).length;
  return {
    tests: cells.length,
    failures: number('fail', 'flaky') + cells.filter((cell) => cell.verdict === 'pass' && isRegression(cell)).length,
    errors: cells.filter(isUnmeasured).length,
    skipped:
      number('blocked', 'not_run') -
      cells.filter((cell) => isUnmeasured(cell) && cell.verdict !== 'inconclusive').length,
  };
}

function problem(message: string, type: string, body: string): Xml {
  return { ...attributes({ message, type }), '#text': xmlText(body) };
}

function attributes(values: Readonly<Record<string, string | number>>): Xml {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`@_${name}`, xmlText(String(value))]));
}
