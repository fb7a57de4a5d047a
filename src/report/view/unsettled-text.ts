import type { Standing } from '../../cell/verdict.js';
import type { ReportCell } from '../../matrix/report-format.js';
import { count } from './phrases.js';

/** From this many trials on, a cell that gives both results is known to be flaky. */
export const enoughTrials = 10;

const looksLike: Readonly<Record<Exclude<Standing, 'new' | null>, string>> = {
  regression: 'looks like a regression',
  changed: 'looks changed',
  improvement: 'looks like an improvement',
  as_expected: 'it is not settled whether it has changed',
};

/** Why a cell is shown although it raises no alarm: "known from 1 trial and 6 since then; 4 of 7 now, 10 of 14 in all". */
export function unsettledText({
  standing,
  known,
  expected,
  trials,
  waits,
  drop,
  surprise,
  ...cell
}: ReportCell): string {
  const { passes_in_a_row: row } = cell;
  if (waits === true)
    return `${looksLike.regression}; it may be a bad hour of the service, so the alarm waits for the next run`;
  if (drop !== undefined)
    return `${looksLike.regression}, ${drop.passed} of ${drop.total} now; it may have been lucky in the ${count(expected?.trials ?? 0, 'trial')} from which it was accepted, so the alarm waits for more`;
  if (row !== undefined)
    return `${looksLike.improvement}, ${row} passes in a row; it may have been unlucky in the ${count(expected?.total ?? 0, 'trial')} from which it was accepted, so the alarm waits for more`;
  if (standing === 'new' && surprise !== 'unsettled')
    return 'new, because a need of it failed when the baseline was accepted; accept it once the need is known';
  if (standing === 'new')
    return `new; ${trials.passed} of ${count(trials.total, 'trial')} passed, and it is not settled whether that is chance`;
  if (standing !== 'as_expected' || known === undefined) return looksLike[standing ?? 'as_expected'];
  const accepted = expected?.trials ?? known.before.total;
  const between = known.total - trials.total - accepted;
  const from = `${count(accepted, 'trial')}${between > 0 ? ` and ${between} since then` : ''}`;
  const fails = expected?.verdict === 'fail';
  const now = `${trials.passed} of ${trials.total} ${fails ? 'pass ' : ''}now`;
  const isFirst = known.before.total === accepted;
  const inAll = isFirst ? '' : `, ${known.passed} of ${known.total} in all`;
  const advice = known.total < enoughTrials ? '' : '; it is flaky: accept it, so that its rate is known';
  return `known ${fails ? 'to fail ' : ''}from ${from}; ${now}${inAll}${advice}`;
}
