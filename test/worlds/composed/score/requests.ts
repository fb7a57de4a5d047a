import { plainCells, type PlainCell } from './plain-cells.js';
import type { Scorer } from './score.js';

/** What a cell costs that is asked until it is decided, where the truth is the plainest. */
export const requests: Scorer = (night) => {
  const decided = plainCells(night).filter(({ ticket, trials }) => ticket.course === 'sequential' && trials.length > 0);
  const sure = (rate: number) => decided.filter(({ trials }) => trials.every((trial) => trial.rate === rate));
  // Each of its answers is asked again, with a control, before it says anything of the model.
  const repeats = ({ trials }: PlainCell) =>
    trials.some(({ struck }) => struck.some(({ kind }) => kind === 'http_500'));
  const figure = (cells: readonly PlainCell[], most: number) => ({
    ...{ sum: cells.reduce((total, cell) => total + cell.requests, 0), of: cells.length, most },
  });
  return {
    ...{ subject: 'requests', right: 0, wrong: 0, examples: [] },
    figures: {
      'requests a decided cell that always passes': figure(sure(1), 12),
      'requests a decided cell that never passes': figure(sure(0), 6),
      'the same without repeated answers of 500': figure(
        sure(0).filter((cell) => !repeats(cell)),
        6,
      ),
    },
  };
};
