import { plainCells } from './plain-cells.js';
import { type Scorer, scoreOf } from './score.js';

/** The interval covers the true pass rate of what was asked. By its definition one in twenty may miss it. */
export const intervals: Scorer = (night) =>
  scoreOf(
    'intervals',
    plainCells(night).filter(({ cell }) => cell.trials.total > 0),
    ({ cell, trials }) => {
      const answered = trials.filter(({ spoilt }) => !spoilt);
      const rate = answered.reduce((sum, trial) => sum + trial.rate, 0) / answered.length;
      const [low, high] = cell.trials.interval;
      const rounding = 1e-3;
      if (rate >= low - rounding && rate <= high + rounding) return null;
      return { at: cell.key, said: `${low.toFixed(3)} to ${high.toFixed(3)}`, truth: `a rate of ${rate.toFixed(3)}` };
    },
  );
