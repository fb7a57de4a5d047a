import type { SharedFailure } from '../decide/shared-failure.js';
import type { ReportModel } from './report-format.js';
import { runsThatLast } from './standing/shared-failures.js';
import type { SharedReach } from './shared-failures-reach.js';

type Counted = Pick<SharedFailure, 'class' | 'reason' | 'failed' | 'total' | 'before'>;

/** "malformed_response (server_error) in 18 of 160 first trials, 0 of 320 before" */
export function sharedText({ class: outcome, reason, failed, total, before }: Counted): string {
  return `${whatFails({ class: outcome, reason })} in ${share({ failed, total }, ' first trials')}, ${share(before)} before`;
}

const whatFails = ({ class: outcome, reason }: Pick<Counted, 'class' | 'reason'>): string =>
  reason === null ? String(outcome) : `${outcome} (${reason})`;

/** What a client must know of them that sends such requests, one sentence each. */
export function sharedCaveats(met: readonly SharedReach[]): string[] {
  return met.map((one) => `${metText(one)}: ${remedyOf(one.failure)}`);
}

/** "18 of 160 answers fail with malformed_response (server_error), whatever the form" */
export function metText({ failure, spared, isOfAnyForm }: SharedReach): string {
  const where = spared.length > 0 ? `, but none to ${spared.join(' or ')}` : isOfAnyForm ? ', whatever the form' : '';
  return `${failText(failure)}${where}${failure.alarm ? '' : ', perhaps in a bad hour'}`;
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
          `${id}: answers fail with ${sharedText(one)}, in ${Object.keys(one.cells).length} cells: more than chance explains, ${doubtText(one)}`,
      ),
  );
}

function doubtText({ runs }: SharedFailure): string {
  if (runs === 1) return 'unless it was a bad hour or a rare day; the next run tells';
  const row = `for ${runs} runs in a row`;
  if (runs < runsThatLast) return `${row}; the next run that shows it in the same cells makes it an alarm`;
  return `${row}, but not clearly in the same cells`;
}
