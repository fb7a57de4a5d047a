import type { ReportCell } from '../../matrix/report-format.js';

/** "known to pass in 8 of 20 trials; 17 of 20 now": it passes more often, but not always. */
export function rateText({ expected, trials: { passed, total } }: ReportCell): string {
  const { verdict = 'fail', passed: before = null, total: of = null } = expected ?? {};
  const known = verdict === 'flaky' && before !== null && of !== null ? `pass in ${before} of ${of} trials` : 'fail';
  return `known to ${known}; ${passed} of ${total} pass now, so it still fails at times`;
}
