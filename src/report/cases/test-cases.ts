import { withoutModel } from '../../cell/cell-key.js';
import { type Deviation, deviationsOf } from '../../matrix/standing/deviations.js';
import type { Report, ReportCell, ReportModel } from '../../matrix/report-format.js';
import { exitCode, unmeasured, usualConditions } from '../../matrix/run-exit-code.js';
import type { RenderContext } from '../render.js';
import { deviationView, supportLine } from '../view/deviation-view.js';
import { isShard } from '../view/is-shard.js';
import { knownText } from '../view/known-text.js';
import { lackingText } from '../view/lacking-text.js';
import { intervalText, thresholdText, trialsText, whatFailed } from '../view/phrases.js';
import { typicalFailure } from '../view/typical-failure.js';
import { unsettledText } from '../view/unsettled-text.js';
import type { TestCase } from './test-case.js';
import type { RunSummary } from '../history/run-summary.js';

type Verdict = Pick<TestCase, 'state' | 'type' | 'message'>;

/** What is known of the end of the run; nothing: neither its options nor its folder are known. */
type HowItEnded = Partial<Pick<RenderContext, 'exit' | 'summary' | 'history'>>;

/**
 * A report as test cases: one for each cell, one for each model that is gone and each change of the wire, and one for the
 * run if too little of it was measured. A case fails where there is a deviation; what is known to fail is skipped; what
 * could not be measured is an error. So none fails and the run is no error if and only if the exit code is 0 with the
 * default `--fail-on`; cells that are errors may be as many as `max_unmeasured` allows.
 * @param report as people see it: redacted
 */
export function testCases(report: Report, ended: HowItEnded = {}): readonly TestCase[] {
  const deviations = deviationsOf(report);
  const byCell = new Map(deviations.flatMap((one) => ('cell' in one ? [[one.cell.key, one] as const] : [])));
  const models = new Map(report.models.map((model) => [model.id, model]));
  const told: Told = { shard: isShard(report), earlier: ended.history?.runs ?? [] };
  return [
    ...runCase(report, ended),
    ...report.cells.map((cell): TestCase => {
      const deviation = byCell.get(cell.key);
      const lacking = lackingText(report, cell);
      return {
        group: cell.model,
        name: withoutModel(cell.key).slice(cell.suite.length + 1),
        place: `${cell.suite}.${cell.model}`,
        cell,
        ...(deviation === undefined
          ? asExpected(cell, models.get(cell.model), lacking)
          : ofDeviation(deviation, cell.class, told)),
        lines: cellLines(cell, lacking),
      };
    }),
    ...deviations.flatMap((deviation) => ('cell' in deviation ? [] : [modelCase(deviation, told)])),
  ];
}

/** It belongs to no cell that the run is truncated, or that cells with a verdict lack too many of their trials. */
function runCase(report: Report, ended: HowItEnded): TestCase[] {
  const code = measuredCode(report, ended);
  if (code === 0) return [];
  const share = Number((100 * unmeasured(report)).toFixed(1));
  const message =
    code === 130
      ? 'the run was interrupted, so part of it was not measured'
      : !report.run.complete
        ? 'the run is truncated: part of it was not measured'
        : `too little could be measured: ${share} % of the plan is missing`;
  return [
    {
      ...{ group: 'chatspec (run)', name: 'enough of the plan was measured', place: 'chatspec.run', cell: null },
      ...{ state: 'error', type: code === 130 ? 'interrupted' : 'not_measured', message, lines: report.run.notes },
    },
  ];
}

/** The exit code but for deviations: they take precedence in it, but what was not measured beside them is no less missing. */
function measuredCode(report: Report, { exit, summary }: HowItEnded): 0 | 3 | 130 {
  const known = exit === undefined ? summary?.exit_code : undefined;
  if (known === 0 || known === 3 || known === 130) return known;
  const conditions = exit ?? { ...usualConditions, shard: false };
  const code = exitCode(report, { ...conditions, failOn: 'never' });
  return code === 1 ? 0 : code;
}

/** A cell without a deviation: it passes, its failure is no news, or nothing is known of it. */
function asExpected(cell: ReportCell, model: ReportModel | undefined, lacking: string | null): Verdict {
  const failed = [whatFailed(cell), cell.detail].filter(Boolean).join(': ') || cell.verdict;
  const isMissing = (cell.trials.missing ?? 0) > 0;
  switch (cell.verdict) {
    case 'pass':
      return { state: 'passed', type: null, message: cell.unsettled ? unsettledText(cell) : lacking };
    case 'fail':
    case 'flaky': {
      const { type, why } = whyNoNews(cell);
      return { state: 'skipped', type, message: `${why}: ${cell.verdict === 'flaky' ? 'flaky: ' : ''}${failed}` };
    }
    case 'blocked':
      if (isMissing) return { state: 'error', type: 'not_run', message: cell.detail ?? 'a need of it was not asked' };
      return { state: 'skipped', type: 'blocked', message: cell.detail ?? 'what it needs does not pass' };
    case 'inconclusive':
    case 'not_run':
      if (model?.retired && model.standing === 'gone') {
        return { state: 'skipped', type: 'retired', message: 'the model is gone, as was announced' };
      }
      if (cell.verdict === 'not_run') {
        return { state: 'error', type: 'not_run', message: cell.detail ?? lacking ?? 'it was not asked' };
      }
      return { state: 'error', type: cell.class ?? 'inconclusive', message: failed };
  }
}

/** Why a cell that does not pass raises no alarm. */
function whyNoNews(cell: ReportCell): { readonly type: string; readonly why: string } {
  const { expected, standing } = cell;
  if (cell.unsettled) return { type: 'unconfirmed', why: `unconfirmed (${unsettledText(cell)})` };
  if (standing === 'as_expected') {
    const said = [expected?.note, expected?.link].filter(Boolean).join(' ');
    if (expected === null || expected.verdict === 'pass') return { type: 'chance', why: 'chance explains it' };
    return { type: 'known_failure', why: `${knownText(expected)}${said === '' ? '' : ` (${said})`}` };
  }
  if (cell.asked_for !== undefined) return { type: 'asked_besides', why: 'asked to explain another cell' };
  if (cell.surprise === 'cleared') return { type: 'chance', why: 'a fresh sample shows that it failed by chance' };
  return { type: 'not_compared', why: 'not compared with a baseline' };
}

interface Told {
  readonly shard: boolean;
  /** The runs before, as far as they are known. */
  readonly earlier: readonly RunSummary[];
}

function ofDeviation(deviation: Deviation, failed: string | null, { shard, earlier }: Told): Verdict {
  const { what, detail, note } = deviationView(deviation, earlier);
  const good = deviation.kind === 'improvement' ? '; accept it, and it is expected to pass' : '';
  const sentence = [`${what}${good}`, detail, note && `baseline: ${note}`].filter(Boolean).join(': ');
  if (shard) {
    return { state: 'skipped', type: 'shard', message: `a shard leaves deviations to chatspec merge: ${sentence}` };
  }
  const passes = deviation.kind === 'improvement' || failed === null;
  return { state: 'failed', type: passes ? deviation.kind : failed, message: sentence };
}

function modelCase(deviation: Exclude<Deviation, { readonly cell: ReportCell }>, told: Told): TestCase {
  const { model } = deviation;
  const { detail, support } = deviationView(deviation);
  const lines = [detail, support].filter((line) => line !== null);
  const verdict = ofDeviation(deviation, null, told);
  if (deviation.kind === 'gone') {
    return {
      ...{ group: `${model} (model)`, name: 'the service knows the model', place: `model.${model}`, cell: null },
      ...{ ...verdict, lines },
    };
  }
  const { quirk } = deviation.quirk;
  return {
    ...{ group: `${model} (wire)`, name: `the wire format: ${quirk}`, place: `wire.${model}`, cell: null },
    ...{ ...verdict, lines },
  };
}

/** @param lacking says which planned trials are missing; null: none is */
function cellLines(cell: ReportCell, lacking: string | null): readonly string[] {
  const { standing, threshold, expected } = cell;
  return [
    cell.detail,
    lacking,
    `${trialsText(cell)}; rate ${intervalText(cell.trials.interval)} (95 %)`,
    threshold && `threshold: ${thresholdText(threshold, expected?.threshold)}`,
    standing &&
      `compared with the baseline: ${standing}${cell.unsettled ? ` (unconfirmed: ${unsettledText(cell)})` : ''}`,
    ...cell.failures.flatMap(({ violations }) => violations.map(({ at, message }) => `${at || '/'}: ${message}`)),
    supportLine(typicalFailure(cell)),
    `cell: ${cell.key}`,
  ].filter((line) => line !== null);
}
