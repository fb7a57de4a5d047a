import { isJudged } from '../../cell/verdict.js';
import { whyNotAsked } from '../../journal/stop.js';
import type { Report, ReportCell } from '../../matrix/report-format.js';
import { count } from './phrases.js';
import { stopSentence } from './stop-sentences.js';

/** Judged cells that got fewer trials than planned since something stopped. Those without any trial show it anyway. */
export function cellsLackingTrials({ cells }: Report): readonly ReportCell[] {
  return cells.filter((cell) => isJudged(cell) && (cell.trials.missing ?? 0) > 0);
}

/** "3 of 3 passed, 7 planned trials were not asked: budget of 200 requests used up"; null where none is missing. */
export function lackingText({ run, models }: Pick<Report, 'run' | 'models'>, cell: ReportCell): string | null {
  const { missing = 0, passed, total } = cell.trials;
  if (missing === 0) return null;
  const target = models.find(({ id }) => id === cell.model)?.target ?? '';
  const stop = whyNotAsked(run.stops, { key: cell.model, target });
  const were = missing === 1 ? 'was' : 'were';
  const why = stop === null ? '' : `: ${stopSentence(stop)}`;
  return `${passed} of ${total} passed, ${count(missing, 'planned trial')} ${were} not asked${why}`;
}
