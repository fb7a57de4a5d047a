import { sumOf, type Count } from '../../stats/count.js';
import { boundOver, evidenceOfTwoRates } from '../../stats/evidence.js';
import type { BehaviourCell } from './behaviour-cell.js';

/** Whether these cells pass less often than the others, by more than chance explains; a cell is no contrast to itself. */
export function isWorse(cells: readonly BehaviourCell[], others: readonly BehaviourCell[]): boolean {
  const own = new Set(cells.map(({ key }) => key));
  const [seen, compared] = [
    countOf(cells),
    countOf(others.filter(({ key, explained_by_need }) => !own.has(key) && !explained_by_need)),
  ];
  return evidenceOfTwoRates(compared, seen) >= boundOver(1);
}

function countOf(cells: readonly BehaviourCell[]): Count {
  return sumOf(cells.map(({ known }) => known));
}
