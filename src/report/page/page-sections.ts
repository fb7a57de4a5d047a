import { type Behaviours, behavioursBehind } from '../../matrix/changes/behaviours-behind.js';
import type { RenderContext } from '../render.js';
import { askOf, type AskSection, rivalsIn } from '../sections/ask.js';
import { historyRows, type HistoryRow } from '../sections/history.js';
import { type Matrix, matrixOf } from '../sections/matrix.js';
import { type ModelCard, modelCards } from '../sections/models.js';
import { type Overview, overviewOf } from '../sections/overview.js';
import type { ShownRun } from '../sections/shown-run.js';
import { usableOf, type UsableTable } from '../sections/usable.js';

/** Sections that only the page prints in full, beside the changes. */
export interface PageSections extends ShownRun {
  readonly overview: Overview;
  readonly usable: UsableTable;
  readonly matrix: Matrix;
  readonly ask: AskSection;
  /** By model: the other that passes most of what these cells ask. */
  readonly rival: (model: string, cells: readonly string[]) => string | null;
  readonly models: readonly ModelCard[];
  readonly history: readonly HistoryRow[];
  readonly behaviours: Behaviours;
}

export function pageSections(
  shown: ShownRun,
  { pages, history }: Pick<RenderContext, 'pages' | 'history'>,
): PageSections {
  const { report, names, runs } = shown;
  const matrix = matrixOf(shown);
  const usable = usableOf(matrix, names, report);
  return {
    ...shown,
    overview: overviewOf(shown),
    usable,
    matrix,
    ask: askOf(shown, usable),
    rival: rivalsIn(report),
    models: modelCards(shown),
    history: historyRows(runs, report.run.id, pages ?? history?.pages),
    behaviours: behavioursBehind(report),
  };
}
