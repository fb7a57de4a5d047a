import type { ReportRun } from '../../matrix/report-format.js';
import { count } from './phrases.js';

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
    `${target} refused ${refused} of ${count(requests, 'request')} for load (${statuses.join(', ')}), and ${refused === 1 ? 'it was' : 'they were'} sent again more slowly: ` +
    `it held at ${concurrency} at a time and ${perMinute} a minute; ` +
    `set limits: { concurrency: ${concurrency}, requests_per_minute: ${perMinute} }`
  );
}
