import { splitAtModel } from '../../cell/cell-key.js';
import { isJudged } from '../../cell/verdict.js';
import type { Report } from '../../matrix/report-format.js';
import { askedIn } from '../history/run-says.js';
import type { RunSummary } from '../history/run-summary.js';
import { type Since, startOf, unmeasuredSince } from '../history/since.js';
import { pastSinceText } from '../history/since-text.js';
import { count, listed } from '../view/phrases.js';

/**
 * "Measured again: 4 cells of demo/cut, unmeasured since the run of 2026-11-20 (3 runs)": cells that the issue told of,
 * since more than a bad moment kept them from being measured. null: there are none.
 * @param earlier the runs before, the oldest first
 */
export function measuredAgain({ cells }: Pick<Report, 'cells'>, earlier: readonly RunSummary[]): string | null {
  const found = cells.filter(isJudged).flatMap(({ key, model }) => {
    const since = toldSince(key, earlier);
    return since === null ? [] : [{ key, model, since }];
  });
  const [longest] = found.map(({ since }) => since).sort((one, other) => other.runs - one.runs);
  if (longest === undefined) return null;
  const first = found.every(({ since }) => since.runs === longest.runs) ? '' : 'the first of them ';
  const models = listed([...new Set(found.map(({ model }) => model))]);
  return `Measured again: ${count(found.length, 'cell')} of ${models}, ${first}unmeasured ${pastSinceText(longest)}.`;
}

/** Since when it had not been measured; null: it had, or a bad moment kept it from that. */
function toldSince(key: string, earlier: readonly RunSummary[]): Since | null {
  const last = earlier.findLastIndex((run) => askedIn(run, key) !== null);
  const run = earlier[last];
  if (run === undefined || askedIn(run, key) !== 'inconclusive') return null;
  const since = unmeasuredSince({ key }, earlier.slice(0, last));
  const lasted = since.runs > 1 && run.models[splitAtModel(key).model ?? '']?.reachable === true;
  if (!lasted && run.unmeasured?.includes(key) !== true) return null;
  return since.at === null ? { ...since, ...startOf(run, earlier) } : since;
}
