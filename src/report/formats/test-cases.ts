import { withoutModel } from '../../cell/cell-key.js';
import { isJudged } from '../../cell/verdict.js';
import type { Report, ReportCell, ReportModel } from '../../matrix/report-format.js';
import { exitCode, unmeasured, usualConditions } from '../../matrix/run-exit-code.js';
import { deviationId, deviationsOf, type Deviation } from '../../matrix/standing/deviations.js';
import type { RenderContext } from '../render.js';
import { shownRun, type ShownRun } from '../sections/shown-run.js';
import { expectedText, verdictText } from '../words/cell-texts.js';
import { causeText, remedyText } from '../words/change-texts.js';
import { texts } from '../words/catalogue.js';
import { say } from '../words/message.js';

const { caseTexts } = texts;

type TestCaseVerdict = Pick<TestCase, 'state' | 'type' | 'message'>;

/** Knowledge of the end of the run; absent: neither its options nor its folder are known. */
type HowItEnded = Partial<Pick<RenderContext, 'exit' | 'summary' | 'history'>>;

/** Material for a format with test cases, beside the report. */
export type TestCaseSources = HowItEnded & Pick<RenderContext, 'redact' | 'exchanges' | 'cellTimes'>;

/**
 * A report as test cases: one for each cell, one for each model that is gone and each change of the wire, and one for
 * the run if too little of it was measured. A case fails where there is a deviation; what is known to fail is skipped;
 * what could not be measured is an error. So none fails and the run is no error if and only if the exit code is 0 with
 * the default `--fail-on`; cells that are errors may be as many as `max_unmeasured` allows.
 * @param report as people see it: redacted
 */
export function testCases(report: Report, ended: HowItEnded = {}): readonly TestCase[] {
  const deviations = deviationsOf(report);
  const byCell = new Map(deviations.flatMap((one) => ('cell' in one ? [[one.cell.key, one] as const] : [])));
  const models = new Map(report.models.map((model) => [model.id, model]));
  const caseContext = shownRun(report, ended);
  return [
    ...runCase(report, ended),
    ...report.cells.map((cell): TestCase => {
      const deviation = byCell.get(cell.key);
      return {
        group: cell.model,
        name: withoutModel(cell.key).slice(cell.suite.length + 1),
        place: `${cell.suite}.${cell.model}`,
        cell,
        ...(deviation === undefined
          ? asExpected(cell, models.get(cell.model))
          : ofDeviation(deviation, cell, caseContext)),
        lines: [...cellDetailLines(cell), ...(deviation === undefined ? [] : adviceLines(deviation, caseContext))],
      };
    }),
    ...deviations.flatMap((deviation) => ('cell' in deviation ? [] : [modelCase(deviation, caseContext)])),
  ];
}

/** How long the requests of each cell took together; empty without a journal. */
export async function cellTimes(
  { cells }: Report,
  { exchanges, cellTimes: known }: Pick<RenderContext, 'exchanges' | 'cellTimes'>,
): Promise<ReadonlyMap<string, number>> {
  if (known !== undefined) return known;
  const times = new Map<string, number>();
  for await (const { cell, exchange } of exchanges(new Set(cells.flatMap((one) => one.exchanges)))) {
    if (cell !== null) times.set(cell, (times.get(cell) ?? 0) + exchange.timing.total_ms);
  }
  return times;
}

/** A truncated run, or too many missing trials of cells with a verdict, belongs to no cell. */
function runCase(report: Report, ended: HowItEnded): TestCase[] {
  const code = measuredCode(report, ended);
  if (code === 0) return [];
  const share = Math.round(100 * unmeasured(report));
  return [
    {
      group: 'chatspec (run)',
      name: 'enough of the plan was measured',
      place: 'chatspec.run',
      cell: null,
      state: 'error',
      type: code === 130 ? 'interrupted' : 'not_measured',
      lines: report.run.notes,
      message: say(caseTexts.unmeasured, { share }),
    },
  ];
}

/**
 * The exit code but for deviations: they take precedence in it, but what was not measured beside them is no less
 * missing.
 */
function measuredCode(report: Report, { exit, summary }: HowItEnded): 0 | 3 | 130 {
  const known = exit === undefined ? summary?.exit_code : undefined;
  if (known === 0 || known === 3 || known === 130) return known;
  const conditions = exit ?? { ...usualConditions, shard: false };
  const code = exitCode(report, { ...conditions, failOn: 'never' });
  return code === 1 ? 0 : code;
}

/** A cell without a deviation: it passes, its failure is no news, or nothing is known of it. */
function asExpected(cell: ReportCell, model: ReportModel | undefined): TestCaseVerdict {
  const message = cell.detail ?? verdictText(cell);
  switch (cell.verdict) {
    case 'pass':
      return { state: 'passed', type: null, message: null };
    case 'fail':
    case 'flaky': {
      const note = [cell.expected?.note, cell.expected?.link].filter(Boolean).join(' ');
      const why = [...expectedText(cell), note, message].filter((text) => text !== '').join(' ');
      return { state: 'skipped', type: whyNoNews(cell), message: why };
    }
    case 'blocked':
      if ((cell.trials.missing ?? 0) > 0) return { state: 'error', type: 'not_run', message };
      return { state: 'skipped', type: 'blocked', message };
    case 'inconclusive':
    case 'not_run':
      if (model?.retired && model.standing === 'gone') return { state: 'skipped', type: 'retired', message };
      return { state: 'error', type: cell.verdict === 'not_run' ? 'not_run' : (cell.class ?? 'inconclusive'), message };
  }
}

/** Why a cell that does not pass raises no alarm. */
function whyNoNews({ unsettled, standing, expected }: ReportCell): string {
  if (unsettled) return 'in_doubt';
  if (standing === 'unreliable') return 'unreliable';
  if (standing === 'as_expected') return expected === null || expected.verdict === 'pass' ? 'chance' : 'known_failure';
  return 'asked_besides';
}

type CaseContext = Pick<ShownRun, 'report' | 'changes' | 'names'>;

function ofDeviation(
  deviation: Deviation,
  cell: ReportCell | null,
  { report, changes, names }: CaseContext,
): TestCaseVerdict {
  const change = changeWith(deviation, changes);
  const what = change === undefined ? '' : causeText(change.cause, names);
  const message = [what, cell?.detail ?? ''].filter((text) => text !== '').join(' ');
  if (report.run.shard !== undefined) return { state: 'skipped', type: 'shard', message: say(caseTexts.shard) };
  const failed = cell?.class ?? null;
  return {
    state: 'failed',
    type: deviation.kind === 'improvement' || failed === null ? deviation.kind : failed,
    message,
  };
}

function changeWith(deviation: Deviation, changes: CaseContext['changes']): CaseContext['changes'][number] | undefined {
  const id = deviationId(deviation);
  return changes.find((one) => one.deviations.includes(id));
}

/** Advice. */
function adviceLines(deviation: Deviation, { changes }: CaseContext): readonly string[] {
  const change = changeWith(deviation, changes);
  const todo = change === undefined ? '' : remedyText(change.remedy);
  return todo === '' ? [] : [todo];
}

function modelCase(deviation: Exclude<Deviation, { readonly cell: ReportCell }>, caseContext: CaseContext): TestCase {
  const { model } = deviation;
  const verdict = ofDeviation(deviation, null, caseContext);
  if (deviation.kind === 'gone') {
    const { detail = null } = deviation.gone.unreachable ?? {};
    const lines = [...(detail === null || detail === '' ? [] : [detail]), ...adviceLines(deviation, caseContext)];
    return {
      group: `${model} (model)`,
      name: 'the service knows the model',
      place: `model.${model}`,
      cell: null,
      ...verdict,
      lines,
    };
  }
  const { quirk, exchange } = deviation.quirk;
  return {
    group: `${model} (wire)`,
    name: `the wire format: ${quirk}`,
    place: `wire.${model}`,
    cell: null,
    ...verdict,
    lines: [...(exchange === null ? [] : [`exchange ${exchange}`]), ...adviceLines(deviation, caseContext)],
  };
}

/** Explanation of a cell, line by line; support can search its logs by the ids. */
function cellDetailLines(cell: ReportCell): readonly string[] {
  const [failure] = cell.failures;
  const ids = [
    ['id', failure?.response_id],
    ['traceresponse', failure?.traceresponse],
    ['exchange', failure?.exchange],
  ].flatMap(([name, id]) => (id ? `${name ?? ''} ${id}` : []));
  return [
    ...(cell.detail === null ? [] : [cell.detail]),
    ...(isJudged(cell) ? [verdictText(cell)] : []),
    ...cell.failures.flatMap(({ violations }) => violations.map(({ at, message }) => `${at || '/'}: ${message}`)),
    ...(ids.length === 0 ? [] : [ids.join(', ')]),
    `cell: ${cell.key}`,
  ];
}

/**
 * One checked thing as build servers show it. `failed` makes the exit code 1, `error` may make it 3, and the
 * others make no build red.
 */
type CaseState = 'passed' | 'failed' | 'skipped' | 'error';

/** A cell, or what is wrong with a model or the run as a whole, as a test case. Texts are redacted and capped. */
export interface TestCase {
  /** `TARGET/MODEL`, or what else is looked at: `TARGET/MODEL (wire)`. */
  readonly group: string;
  /** Unique in its group: `PROBE[axis=label,...]`. */
  readonly name: string;
  /** Where build servers file it: `SUITE.TARGET/MODEL`. */
  readonly place: string;
  /** null: it is not about a cell. */
  readonly cell: ReportCell | null;
  readonly state: CaseState;
  /** One word for why it is not simply passed: an outcome class, `known_failure`, `improvement`, ...; null if it is. */
  readonly type: string | null;
  /** Why, in one sentence; null where there is nothing to say. */
  readonly message: string | null;
  /** Explanation, line by line. */
  readonly lines: readonly string[];
}

export function countStates(cases: readonly TestCase[]): Readonly<Record<CaseState, number>> {
  const counts = { passed: 0, failed: 0, skipped: 0, error: 0 };
  for (const { state } of cases) counts[state] += 1;
  return counts;
}
