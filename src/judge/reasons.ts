import type { Prose } from './outcome-classes.js';
import prose from './prose.json' with { type: 'json' };

/** Why an error came, and what that means. */
interface ReasonEntry extends Prose {
  /** It concerns the account or is temporary, so it says nothing about the model. */
  readonly fault?: boolean;
  /** A permanent fault: asking again with the same key and account gives the same answer. */
  readonly final?: boolean;
}

/** The reasons of `http_error`, and of an error object wherever it appears. The names are stable, as of outcome classes. */
export const reasons = [
  ...(['auth', 'quota', 'rate_limited', 'overloaded', 'gateway', 'model_not_found', 'context_length'] as const),
  ...(['content_filtered', 'tool_choice_unsupported', 'tool_choice_thinking'] as const),
  ...(['response_format_unsupported', 'json_word_required', 'schema_rejected', 'parameter_rejected'] as const),
  ...(['model_output_rejected', 'server_error', 'unknown'] as const),
] as const;

export type Reason = (typeof reasons)[number];

export const reasonProse: Readonly<Record<Reason, ReasonEntry>> = prose.reasons;

/** Whether an error of this reason concerns the account or is temporary, so that it says nothing about the model. */
export function isFaultReason(reason: Reason | null): boolean {
  return reason !== null && reasonProse[reason].fault === true;
}

/** Whether an error of this reason would recur with the same key and account. */
export function isFinalReason(reason: Reason | null): boolean {
  return reason !== null && reasonProse[reason].final === true;
}

/**
 * Whether an error would recur if the request were sent again. Besides final reasons these are refusals by a machine in
 * front (a firewall, a limit on the size of a body), while its 5xx says that it got no answer this time.
 */
export function isFinalError({ reason, status }: { readonly reason: Reason | null; readonly status: number | null }) {
  return isFinalReason(reason) || (reason === 'gateway' && status !== null && status >= 400 && status < 500);
}
