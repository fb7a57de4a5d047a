import { plainCells, type PlainCell } from './plain-cells.js';
import { type Scorer, scoreOf } from './score.js';

const most = [
  { rate: 1, requests: 12 },
  { rate: 0, requests: 6 },
] as const;

/** What a cell costs that is asked until it is decided, on average, where the truth is the plainest. */
export const requests: Scorer = (night) => {
  const decided = plainCells(night).filter(({ ticket }) => ticket.course === 'sequential');
  const spent = most.map(({ rate, requests: limit }) => ({ rate, limit, average: average(decided, rate) }));
  const score = scoreOf('requests', spent, ({ rate, limit, average: found }) =>
    found <= limit
      ? null
      : { at: `cells with a pass rate of ${rate}`, said: `${found.toFixed(1)} requests`, truth: `at most ${limit}` },
  );
  const figures = Object.fromEntries(spent.map((one) => [`at rate ${one.rate}`, one.average]));
  return { ...score, figures };
};

function average(cells: readonly PlainCell[], rate: number): number {
  const sure = cells.filter(({ trials }) => trials.length > 0 && trials.every((trial) => trial.rate === rate));
  return sure.length === 0 ? 0 : sure.reduce((sum, cell) => sum + cell.requests, 0) / sure.length;
}
