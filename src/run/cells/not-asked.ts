import type { Finding } from '../../decide/course.js';
import type { Verdict } from '../../cell/verdict.js';
import type { Outcome } from '../../judge/outcome.js';
import type { Ticket } from '../../plan/ticket.js';

/**
 * The finding of a cell without trials.
 * @param needed trials that would have been needed to decide
 * @param control what the failed control showed, if that is the reason
 */
export function notAsked(
  verdict: Extract<Verdict, 'inconclusive' | 'blocked' | 'not_run'>,
  detail: string | null,
  needed: number,
  control: Outcome | null = null,
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
    fresh: null,
  };
}

/** The least number of trials that the ticket asks for. */
export function leastTrials({ trials }: Ticket): number {
  return trials.kind === 'count' ? trials.count : 1;
}
