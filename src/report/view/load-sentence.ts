import type { ReportRun } from '../../matrix/report-format.js';
import { count } from './phrases.js';

type Throttled = NonNullable<ReportRun['throttled']>[number];

/** What a target, or one model of it, refused for load, and the limits that would have avoided it, if any would. */
export function loadSentence(throttled: Throttled): string {
  const { target, model, requests, refused, statuses, held } = throttled;
  const they = refused === 1 ? 'it was' : 'they were';
  const said =
    `${model ?? target} refused ${refused} of ${count(requests, 'request')} for load (${statuses.join(', ')}), ` +
    `and ${they} sent again more slowly: `;
  if (held === undefined) return `${said}nothing shows that it depends on the load, so no limits are advised`;
  const { concurrency, requests_per_minute: perMinute } = held;
  return `${said}it held at ${concurrency} at a time and ${perMinute} a minute; ${advice(held, model !== undefined)}`;
}

/** A model has a concurrency of its own, but no limit per minute. */
function advice({ concurrency, requests_per_minute: perMinute }: NonNullable<Throttled['held']>, ofModel: boolean) {
  if (ofModel) return `set concurrency: ${concurrency} for this model`;
  return `set limits: { concurrency: ${concurrency}, requests_per_minute: ${perMinute} }`;
}
