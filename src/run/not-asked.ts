import type { Finding } from '../decide/course.js';
import type { StopReason } from '../journal/stop.js';
import type { Verdict } from '../cell/verdict.js';
import type { Outcome } from '../judge/outcome.js';
import type { Ticket } from '../plan/ticket.js';

/**
 * The finding of a cell without trials.
 * @param needed trials that would have been needed to decide
 * @param control what the failed control showed, if that is the reason
 */
export function notAsked(
  verdict: Extract<Verdict, 'inconclusive' | 'blocked' | 'not_run'>,
  detail: string | null,
  needed: number,
  control: Pick<Outcome, 'class' | 'reason' | 'status'> | null = null,
): Finding {
  return {
    verdict,
    class: control?.class ?? null,
    reason: control?.reason ?? null,
    status: control?.status ?? null,
    detail,
    rung: null,
    trials: { total: 0, passed: 0, faults: 0, interval: [0, 1] },
    needed,
    quirks: [],
    surprise: null,
    threshold: null,
    enforcement: null,
    recovery: null,
    law: null,
  };
}

/** The finding of a cell of which nothing was asked before something stopped. */
export function notAskedBecause(stop: StopReason, needed: number): Finding {
  return stop.kind === 'unanswered'
    ? notAsked('inconclusive', `the model stopped answering: ${stop.detail ?? 'no answer'}`, needed, stop)
    : notAsked('not_run', null, needed);
}

/** The least number of trials that the ticket asks for. */
export function leastTrials({ trials }: Ticket): number {
  return trials.kind === 'count' ? trials.count : 1;
}
