import { withoutModel } from '../../cell/cell-key.js';
import { isJudged, isJudgement, type Verdict } from '../../cell/verdict.js';
import { remedyOfCell } from '../../matrix/changes/cause-and-remedy.js';
import type { ReportCell } from '../../matrix/report-format.js';
import { passedOfTotalIn, verdictIn } from '../../matrix/run-summary.js';
import { texts } from '../words/catalogue.js';
import { say } from '../words/message.js';
import { expectedText, verdictText } from '../words/cell-texts.js';
import { remedyText } from '../words/change-texts.js';
import { evidenceCommand } from '../words/commands.js';
import { signs } from '../sections/matrix.js';
import { joinedNames } from '../sections/names.js';
import type { PageSections } from './page-sections.js';
import { dayText } from '../sections/run-time.js';
import { stripOf } from '../sections/strip.js';

const { cells: sentences, contexts } = texts;

/** The content of an opened cell. */
interface CellView {
  readonly key: string;
  readonly model: string;
  readonly name: string;
  readonly title: string;
  readonly capability: string;
  /** The id of the capability, which names its row in the matrix. */
  readonly row: string;
  readonly verdict: string;
  readonly sign: string;
  /** Sentences: the result, the expectation of the baseline, and how sure a change is. */
  readonly says: readonly string[];
  readonly todo: string;
  /** Words of the service or of a check. */
  readonly detail: string | null;
  readonly violations: readonly string[];
  readonly condition: string | null;
  readonly curve: readonly (readonly [number, number, number])[];
  readonly strip: readonly string[];
  readonly command: string;
  readonly exchanges: readonly string[];
  /** How many requests it took. */
  readonly asked: number;
  readonly good: LastGoodView | null;
}

/** The last good answer of a check that does not pass now. */
export interface LastGoodView {
  /** "21 Nov" */
  readonly day: string;
  /** The number of its text. */
  readonly answer: number;
}

export function cellView(
  cell: ReportCell,
  { report, folder, names, runs, behaviours }: PageSections,
  { exchanges, asked, good }: Pick<CellView, 'exchanges' | 'asked' | 'good'>,
): CellView {
  const capability = report.capabilities.find((one) => one.model === cell.model && one.capability === cell.capability);
  return {
    key: cell.key,
    model: cell.model,
    name: withoutModel(cell.key),
    title: cell.title,
    capability: names.capability(cell.capability),
    row: cell.capability,
    verdict: cell.verdict,
    sign: signs[cell.verdict],
    says: [
      verdictText(cell),
      ...sinceVerdict(cell, runs),
      ...expectedText(cell),
      ...needsText(cell),
      ...servedText(cell),
      ...(cell.unsettled ? [say(contexts.doubt, { cells: 1 })] : []),
    ],
    todo: remedyText(remedyOfCell(cell, behaviours.get(cell.key), report)),
    // Why a check was skipped stands in its first sentence.
    detail: cell.verdict === 'blocked' ? null : cell.detail,
    violations: [
      ...new Set(
        cell.failures.flatMap(({ violations }) => violations.map(({ at, message }) => `${at || '/'} ${message}`)),
      ),
    ].slice(0, 8),
    condition: capability?.condition?.replaceAll('>=', '≥').replaceAll('<=', '≤') ?? null,
    curve: cell.threshold?.curve ?? [],
    strip: stripOf(runs, { models: [cell.model], cells: [cell.key] }, 30).map(({ tone }) => tone),
    command: evidenceCommand(folder, cell.key, report.run.config),
    exchanges,
    asked,
    good,
  };
}

/** Since which run in a row it has had its verdict, and what was known of it before. */
function sinceVerdict(cell: ReportCell, runs: PageSections['runs']): readonly string[] {
  if (runs.length < 2 || !isJudged(cell)) {
    return [];
  }
  const saying = runs.slice(0, -1).filter((run) => isJudgement(verdictOf(run, cell.key)));
  const other = saying.findLastIndex((run) => verdictOf(run, cell.key) !== cell.verdict);
  const inRow = saying.slice(other + 1);
  const before = other === -1 ? undefined : saying[other]?.cells[cell.key];
  const first = inRow[0] ?? runs.at(-1);
  const counts = before === undefined ? 'none' : passedOfTotalIn(before);
  const day = first === undefined ? '' : dayText(first.run.started_at);
  return [say(sentences.since, { verdict: cell.verdict, day, runs: inRow.length + 1, before: counts })];
}

function verdictOf({ cells }: PageSections['runs'][number], key: string): Verdict {
  const cell = cells[key];
  return cell === undefined ? 'not_run' : verdictIn(cell);
}

function needsText({ flaky_needs: needs }: ReportCell): readonly string[] {
  if (needs === undefined) return [];
  return [say(sentences.needs, { needs: joinedNames(needs.cells, 2), explain: needs.explain ? 'yes' : 'no' })];
}

function servedText({ served_by: served }: ReportCell): readonly string[] {
  if (served === undefined) return [];
  return served.values.map((one) => say(sentences.served, { field: served.field, ...one }));
}
