import type { SharedFailure } from '../decide/shared-failure.js';
import type { ReportModel } from './report-format.js';

type Counted = Pick<SharedFailure, 'class' | 'reason' | 'failed' | 'total' | 'before'>;

/** "malformed_response (server_error) in 18 of 160 first trials, 0 of 320 before" */
export function sharedText({ class: outcome, reason, failed, total, before }: Counted): string {
  return `${whatFails({ class: outcome, reason })} in ${share({ failed, total }, ' first trials')}, ${share(before)} before`;
}

const whatFails = ({ class: outcome, reason }: Pick<Counted, 'class' | 'reason'>): string =>
  reason === null ? String(outcome) : `${outcome} (${reason})`;

/** What a client must know of them, one sentence each. */
export function sharedCaveats(all: readonly SharedFailure[]): string[] {
  return all.map((one) => `${metText(one)}: ${remedyOf(one)}`);
}

/** "18 of 160 answers fail with malformed_response (server_error)" */
export function metText(failure: SharedFailure): string {
  return `${failText(failure)}${failure.alarm ? '' : ', perhaps in a bad hour'}`;
}

/** "18 of 160 answers fail with not_json": failed, as long as it is in doubt. */
function failText(failure: Omit<Counted, 'before'> & Pick<SharedFailure, 'runs' | 'alarm'>): string {
  const { alarm, runs } = failure;
  const when = runs === 1 ? '' : ` in ${runs} runs`;
  return `${share(failure, ' answers')}${when} ${alarm ? 'fail' : 'failed'} with ${whatFails(failure)}`;
}

/** Every client notices the first two by itself. */
function remedyOf({ class: outcome }: SharedFailure): string {
  if (outcome === 'http_error' || outcome === 'malformed_response') return 'retry';
  return outcome === 'truncated' ? 'raise max_tokens, or retry' : 'check each answer, and retry';
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
          `${id}: answers fail with ${sharedText(one)}, in ${Object.keys(one.cells).length} cells: that is in doubt until another run shows it`,
      ),
  );
}
