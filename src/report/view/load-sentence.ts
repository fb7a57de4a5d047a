import type { ReportRun } from '../../matrix/report-format.js';

/** What a target refused for load, and the limits that would have avoided it. */
export function loadSentence({
  target,
  requests,
  refused,
  statuses,
  held,
}: NonNullable<ReportRun['throttled']>[number]): string {
  const { concurrency, requests_per_minute: perMinute } = held;
  return (
    `${target} refused ${refused} of ${requests} requests for load (${statuses.join(', ')}), and they were sent again more slowly: ` +
    `it held at ${concurrency} at a time and ${perMinute} a minute; ` +
    `set limits: { concurrency: ${concurrency}, requests_per_minute: ${perMinute} }`
  );
}
