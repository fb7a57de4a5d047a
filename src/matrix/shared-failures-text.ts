import type { SharedFailure } from '../decide/shared-failure.js';
import type { ReportModel } from './report-format.js';

type Counted = Pick<SharedFailure, 'class' | 'reason' | 'failed' | 'total' | 'before'>;

/** "malformed_response (server_error) in 18 of 160 first trials, 0 of 320 before" */
export function sharedText({ class: outcome, reason, failed, total, before }: Counted): string {
  const what = reason === null ? outcome : `${outcome} (${reason})`;
  return `${what} in ${share({ failed, total }, ' first trials')}, ${share(before)} before`;
}

function share({ failed, total }: Pick<Counted, 'failed' | 'total'>, of = ''): string {
  return `${failed.toLocaleString('en')} of ${total.toLocaleString('en')}${of}`;
}

/** About failures that raise no alarm yet. */
export function sharedNotes(models: readonly ReportModel[]): string[] {
  return models.flatMap(({ id, shared_failures: found = [] }) =>
    found
      .filter(({ alarm }) => !alarm)
      .map(
        (one) =>
          `${id}: answers fail with ${sharedText(one)}, in ${Object.keys(one.cells).length} cells: more than chance explains, unless it was a bad hour or a rare day; the next run tells`,
      ),
  );
}
