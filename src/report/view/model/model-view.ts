import { isJudged } from '../../../cell/verdict.js';
import { groupBy } from '../../../json/group-by.js';
import type {
  Report,
  ReportBehaviour,
  ReportCell,
  ReportLatency,
  ReportModel,
  ReportQuirk,
} from '../../../matrix/report-format.js';
import { isInDoubt } from '../../history/in-doubt.js';
import type { PastOf } from '../../history/past.js';
import { sharesOf } from '../../history/shares.js';
import { whatFailed } from '../phrases.js';
import { type BudgetCurve, budgetCurve } from './budget-curve.js';
import { type KeywordRow, keywordMap } from './keyword-map.js';

/** Everything that a report says of one model. */
export interface ModelView {
  readonly model: ReportModel;
  readonly passed: number;
  readonly judged: number;
  readonly behaviours: readonly ReportBehaviour[];
  /** One for each cell that searched a token budget. */
  readonly budgets: readonly BudgetCurve[];
  readonly keywords: readonly KeywordRow[];
  readonly quirks: readonly ReportQuirk[];
  /** How long its answers took, by kind of request. */
  readonly times: readonly ReportLatency[];
  /** Cells without a judgement, by why. */
  readonly unmeasured: readonly { readonly why: string; readonly cells: readonly string[] }[];
  /** The share of judged cells that passed in each run of the history, 0 to 1; null where none was judged. */
  readonly shares: readonly (number | null)[];
  /** Of the same runs, whether they left the model in doubt. */
  readonly doubted: readonly boolean[];
}

export function modelViews(report: Report, past: PastOf | null): ModelView[] {
  const cellsOf = groupBy(report.cells, ({ model }) => model);
  const behavioursOf = groupBy(report.behaviours, ({ model }) => model);
  const quirksOf = groupBy(report.wire ?? [], ({ model }) => model);
  const timesOf = groupBy(report.latency ?? [], ({ model }) => model);
  return report.models.map((model) => {
    const cells = cellsOf.get(model.id) ?? [];
    const judged = cells.filter(isJudged);
    return {
      model,
      passed: judged.filter(({ verdict }) => verdict === 'pass').length,
      judged: judged.length,
      behaviours: behavioursOf.get(model.id) ?? [],
      budgets: cells.flatMap((cell) => budgetCurve(cell) ?? []),
      keywords: keywordMap(cells),
      quirks: quirksOf.get(model.id) ?? [],
      times: timesOf.get(model.id) ?? [],
      unmeasured: unmeasured(cells),
      doubted: past === null ? [] : past.runs.map((run) => isInDoubt(run, model.id)),
      shares:
        past === null
          ? []
          : sharesOf(
              past,
              cells.map(({ key }) => key),
            ),
    };
  });
}

function unmeasured(cells: readonly ReportCell[]): ModelView['unmeasured'] {
  const missing = cells.filter((cell) => !isJudged(cell));
  const groups = groupBy(missing, (cell) => whyNot(cell));
  return [...groups].map(([why, group]) => ({ why, cells: group.map(({ key }) => key) }));
}

function whyNot(cell: ReportCell): string {
  const failed = whatFailed(cell);
  return [cell.verdict.replace('_', ' '), failed, cell.detail ?? ''].filter(Boolean).join(': ');
}
