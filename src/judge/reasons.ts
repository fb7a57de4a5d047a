import type { Prose } from './outcome-classes.js';

/** Why an error came, and what that means. */
interface ReasonEntry extends Prose {
  /** It concerns the account or is temporary, so it says nothing about the model. */
  readonly fault?: true;
  /** A permanent fault: asking again with the same key and account gives the same answer. */
  readonly final?: true;
}

/**
 * The reasons of `http_error`, and of an error object wherever it appears. The names are stable. Types, JSON Schemas and
 * documentation follow from this table: after a change, run `npm run generate`.
 */
const table = {
  auth: {
    fault: true,
    final: true,
    title: 'Key not accepted',
    explanation: 'The service does not accept the key, or the key may not do this.',
    advice: 'Check the key, its scope and the base address; nothing was learned about the model.',
  },
  quota: {
    fault: true,
    final: true,
    title: 'Quota used up',
    explanation:
      'The balance, the credits or a long-term limit of the plan is used up; waiting a minute does not help.',
    advice: 'Top up or wait for the window; do not retry.',
  },
  rate_limited: {
    fault: true,
    title: 'Rate limited',
    explanation: 'Too many requests or tokens in a short time.',
    advice: 'Wait as long as the answer asks; lower concurrency or requests per minute.',
  },
  overloaded: {
    fault: true,
    title: 'Overloaded',
    explanation: 'The service cannot take the request right now, whatever your own rate.',
    advice: 'Try again later.',
  },
  gateway: {
    fault: true,
    title: 'Gateway failed',
    explanation: 'A gateway, proxy or firewall in front of the service answered in its place.',
    advice:
      'Retry a 5xx; for long answers use streaming, which keeps the connection alive. A challenge page or a limit on the size of the body is a matter for those who run the gateway.',
  },
  model_not_found: {
    title: 'Unknown model',
    explanation: 'The service does not know the model, or the key may not use it.',
    advice: "Check the id against the service's list of models; the model may have been retired.",
  },
  context_length: {
    title: 'Too long for the context',
    explanation: 'The input, or the input together with the output cap, does not fit into the context window.',
    advice: 'Shorten the input or choose a model with a larger window.',
  },
  content_filtered: {
    title: 'Filtered',
    explanation: 'The input or the output was stopped by the content filter.',
    advice: 'Rephrase, or ask the service about its filter.',
  },
  tool_choice_unsupported: {
    title: 'tool_choice refused',
    explanation: 'The service refuses this value or form of tool_choice for the model.',
    advice: 'Use a string value, such as required, and check the returned function name and arguments.',
  },
  tool_choice_thinking: {
    title: 'tool_choice refused while thinking',
    explanation: 'The value is refused because the model is thinking.',
    advice: 'Disable thinking for this request, or use the string required and check the returned function name.',
  },
  response_format_unsupported: {
    title: 'response_format refused',
    explanation: 'The model does not take this kind of response_format.',
    advice: 'Use another form: tool-call arguments, or json_object with validation on the client.',
  },
  json_word_required: {
    title: 'The word json is missing',
    explanation: 'The backend requires the word json in the messages when response_format is used.',
    advice: 'Add a system message that says that only JSON matching the schema is returned.',
  },
  schema_rejected: {
    title: 'Schema refused',
    explanation: 'The service does not take this schema: a keyword, its depth or its size.',
    advice: 'Stay within the preferred keywords; check the rest on the client.',
  },
  parameter_rejected: {
    title: 'Parameter refused',
    explanation: 'A field of the request, or its value, is not accepted.',
    advice: 'Leave the field out or send a value that the message names; the setting may differ by model.',
  },
  model_output_rejected: {
    title: "The model's output was refused",
    explanation:
      'The service checked what the model wrote and reports that as an error: a failure of the model, not of the request.',
    advice: 'Retry with lower temperature; keep the attached generation as evidence.',
  },
  server_error: {
    title: 'Server error',
    explanation: 'The service failed without saying that the request was at fault.',
    advice: 'Retry; if it recurs while other requests work, this request causes it.',
  },
  unknown: {
    title: 'Unknown reason',
    explanation: 'The answer does not say what was refused.',
    advice: 'Read the exchange; ask support with id and traceresponse.',
  },
} as const satisfies Readonly<Record<string, ReasonEntry>>;

export type Reason = keyof typeof table;

export const reasonProse: Readonly<Record<Reason, ReasonEntry>> = table;

export const reasons = Object.keys(table) as readonly Reason[];

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
