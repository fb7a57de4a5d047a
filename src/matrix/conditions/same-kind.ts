import { groupBy } from '../../json/group-by.js';
import { isJudged } from '../../cell/verdict.js';
import { showsRate } from '../first-trials.js';
import type { ReportCell } from '../report-format.js';
import { isBroken, isProven, mayPassLike, passesAtTimes } from './lucky-passes.js';

/** What a cell asks, whatever its probe and prompt: cells of one kind differ in nothing else; null: it has no kind. */
export type KindOf = (cell: ReportCell) => string | null;

/**
 * Whether other probes show that what a cell asks passes only sometimes, so that the passes of the cell may be luck. Where
 * a cell of the kind passes reliably, the others fail for some other reason.
 * @param ofModel all cells of the model
 */
export function waveringKinds(ofModel: readonly ReportCell[], kindOf: KindOf): (cell: ReportCell) => boolean {
  const kinds = groupBy(
    ofModel.filter((cell) => isJudged(cell) && showsRate(cell)),
    kindOf,
  );
  return (cell) => {
    const kind = kindOf(cell);
    const alike = (kind === null ? undefined : kinds.get(kind))?.filter(({ key }) => key !== cell.key) ?? [];
    const points = alike.map(({ trials }) => ({ labels: {}, good: null, trials }));
    return (
      alike.some(({ verdict }) => verdict === 'flaky') &&
      !points.some(isProven) &&
      passesAtTimes(points) &&
      isBroken(points) &&
      mayPassLike(points, [{ labels: {}, good: true, trials: cell.trials }])
    );
  };
}
