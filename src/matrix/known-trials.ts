import type { Count } from '../stats/count.js';
import type { ReportCell } from './report-format.js';

/** What earlier runs showed of the cell counts as well, unless it may have changed since: a flaky cell may pass once tonight. */
export function knownTrials({
  known,
  doubt,
  standing,
  trials,
}: Pick<ReportCell, 'known' | 'doubt' | 'standing' | 'trials'>): Count {
  const isAsKnown = standing === 'as_expected' || standing === null;
  return isAsKnown && doubt === null && known !== null && known.total > trials.total ? known : trials;
}
