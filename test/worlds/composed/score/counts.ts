import { plainCells, type PlainTrial } from './plain-cells.js';
import { type Scorer, scoreOf } from './score.js';

/** The counted trials are those that the service answered, and the passed ones those in which no mode struck. */
export const counts: Scorer = (night) =>
  scoreOf(
    'counts',
    plainCells(night).filter(({ trials }) => !trials.some(isAmbiguous)),
    ({ cell, trials }) => {
      const answered = trials.filter(({ spoilt }) => !spoilt);
      const truth = {
        total: answered.length,
        passed: answered.filter(({ struck }) => struck.length === 0).length,
        faults: trials.length - answered.length,
      };
      const { total, passed, faults } = cell.trials;
      const same = total === truth.total && passed === truth.passed && faults === truth.faults;
      const inWords = (count: typeof truth) => `${count.passed} of ${count.total} passed, ${count.faults} faults`;
      return same ? null : { at: cell.key, said: inWords({ total, passed, faults }), truth: inWords(truth) };
    },
  );

/** A 500 of the model's own counts only if its control came through. */
const isAmbiguous = ({ struck, disturbed }: PlainTrial): boolean =>
  disturbed && struck.some(({ kind }) => kind === 'http_500');
