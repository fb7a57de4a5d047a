import type { Report } from '../../matrix/report-format.js';
import { type RunSummary, summaryOf } from '../history/run-summary.js';
import type { RenderContext } from '../render.js';
import { type Change, changesOf } from './changes.js';
import { type HistoryRow, historyOf } from './history.js';
import { type Matrix, matrixOf, type UsableTable, usableOf } from './matrix.js';
import { type ModelCard, modelCards } from './models.js';
import { type Names, namesIn } from './names.js';
import { dayText, type Overview, overviewOf } from './overview.js';
import { type Fact, runFacts } from './run.js';
import { type Step, stepsOf } from './steps.js';

/** What a report says, for every format: each only lays it out. */
export interface Sections {
  /** Begins with the verdict. */
  readonly title: string;
  readonly overview: Overview;
  readonly steps: readonly Step[];
  /** Deviations, and then what is in doubt. */
  readonly changes: readonly Change[];
  readonly usable: UsableTable;
  readonly matrix: Matrix;
  readonly models: readonly ModelCard[];
  readonly history: readonly HistoryRow[];
  readonly run: readonly Fact[];
  readonly names: Names;
  /** Earlier runs and this one, the oldest first. */
  readonly runs: readonly RunSummary[];
}

/** @param report as people see it: redacted */
export function sectionsOf(
  report: Report,
  { folder, history, exit, summary, pages }: Pick<RenderContext, 'folder' | 'history' | 'exit' | 'summary' | 'pages'>,
): Sections {
  const names = namesIn(report);
  const runs = [...(history?.runs ?? []), summary ?? summaryOf(report, exit)];
  const changes = changesOf(report, { names, folder, runs });
  const overview = overviewOf(report, changes, runs);
  const matrix = matrixOf(report, changes, names);
  return {
    title: `${overview.glyph} ${overview.headline} · chatspec · ${dayText(report.run.started_at)}`,
    ...{ overview, changes, matrix, names, runs },
    steps: stepsOf(report, changes, folder),
    usable: usableOf(matrix, names),
    models: modelCards(report, names, runs),
    history: historyOf(runs, report.run.id, pages),
    run: runFacts(report),
  };
}
