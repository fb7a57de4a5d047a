import type { Verdict } from '../cell/verdict.js';
import type { Finding } from '../decide/course.js';
import { findingOf } from '../decide/finding.js';
import type { StopReason } from '../journal/event.js';
import type { Outcome } from '../judge/outcome.js';

/**
 * The finding of a cell without trials.
 * @param needed trials that would have been needed to decide
 * @param control what the failed control showed, if that is the reason
 */
export function unaskedFinding(
  verdict: Extract<Verdict, 'inconclusive' | 'blocked' | 'not_run'>,
  detail: string | null,
  needed: number,
  control: Pick<Outcome, 'class' | 'reason' | 'status'> | null = null,
): Finding {
  const { class: failure = null, reason = null, status = null } = control ?? {};
  return { ...findingOf([], needed), verdict, class: failure, reason, status, detail };
}

/** The finding of a cell of which nothing was asked before something stopped. */
export function notAskedBecause(stop: StopReason, needed: number): Finding {
  if (stop.kind !== 'unanswered') return unaskedFinding('not_run', null, needed);
  const what = stop.answered === 0 ? 'answers nothing' : 'stopped answering';
  return unaskedFinding('inconclusive', `the model ${what}: ${stop.detail ?? 'no answer'}`, needed, stop);
}
