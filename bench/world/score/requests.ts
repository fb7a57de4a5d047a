import { plainCells } from './plain-cells.js';
import type { Scorer } from './score.js';

/** What a cell costs that is asked until it is decided, where the truth is the plainest. */
export const requests: Scorer = (night) => {
  const decided = plainCells(night).filter(({ ticket, trials }) => ticket.course === 'sequential' && trials.length > 0);
  const spentAt = (rate: number) =>
    decided.filter(({ trials }) => trials.every((trial) => trial.rate === rate)).map((cell) => cell.requests);
  const figure = (spent: readonly number[], most: number) => ({
    ...{ sum: spent.reduce((total, one) => total + one, 0), of: spent.length, most },
  });
  return {
    ...{ subject: 'requests', right: 0, wrong: 0, examples: [] },
    figures: {
      'requests a decided cell that always passes': figure(spentAt(1), 12),
      'requests a decided cell that never passes': figure(spentAt(0), 6),
    },
  };
};
