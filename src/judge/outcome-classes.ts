import prose from './prose.json' with { type: 'json' };

/** What an outcome class or a reason means to people. */
interface Prose {
  readonly title: string;
  readonly explanation: string;
  /** What to do about it. */
  readonly advice: string;
}

/** What an outcome class means, with what follows from it. */
interface ClassProse extends Prose {
  /** What goes wrong in a client that does not check. */
  readonly breaks: string;
  /** What usually lies behind it. */
  readonly cause: string;
}

/**
 * The outcome classes in the order in which a client checks. The names are stable. JSON Schemas and documentation
 * follow from this list and from `prose.json`: after a change, run `npm run generate`.
 */
export const outcomeClasses = [
  ...(['transport', 'http_error', 'malformed_response', 'truncated', 'filtered'] as const),
  ...(['unexpected_finish_reason', 'refused', 'empty_content', 'missing_tool_call'] as const),
  ...(['unexpected_tool_call', 'wrong_function', 'not_json', 'schema_violation', 'rule_violation'] as const),
  ...(['not_enforced', 'ineffective'] as const),
] as const;

export type OutcomeClass = (typeof outcomeClasses)[number];

export const outcomeProse: Readonly<Record<OutcomeClass, ClassProse>> = prose.classes;

/** Why an error came, and what that means. */
interface ReasonEntry extends Prose {
  /** It concerns the account or is temporary, so it says nothing about the model. */
  readonly fault?: boolean;
  /** A permanent fault: asking again with the same key and account gives the same answer. */
  readonly final?: boolean;
}

/**
 * The reasons of `http_error`, and of an error object wherever it appears. The names are stable, as of outcome classes.
 */
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
