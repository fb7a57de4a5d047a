/** What an outcome class or a reason means to people. */
export interface Prose {
  readonly title: string;
  readonly explanation: string;
  /** What to do about it. */
  readonly advice: string;
}

/**
 * The outcome classes in the order in which a client checks. The names are stable. Types, JSON Schemas and documentation
 * follow from this table: after a change, run `npm run generate`.
 */
const classes = {
  transport: {
    title: 'No complete answer',
    explanation: 'The connection failed, timed out or was cut, so there is nothing to validate.',
    advice:
      'Handle it separately from schema and truncation failures: retry a limited number of times, then check the network and the service.',
  },
  http_error: {
    title: 'HTTP error',
    explanation: 'The service answered with a status other than 2xx; no content was read.',
    advice:
      'Look at the reason: some refusals concern the account or are temporary, others concern the request itself.',
  },
  malformed_response: {
    title: 'No readable choice',
    explanation:
      'The status says success, but the body contains no choice: an error object, no choices, or no completion at all.',
    advice: 'Treat it as a failed call, never as empty text; keep the body, the id and the traceresponse for support.',
  },
  truncated: {
    title: 'Cut by the token limit',
    explanation: 'The answer reached max_tokens and is incomplete, whatever it looks like.',
    advice: 'Raise max_tokens; a model that reasons needs room for its reasoning as well as for the final answer.',
  },
  filtered: {
    title: 'Filtered',
    explanation: 'The content filter of the service ended the answer.',
    advice: 'Rephrase the input or ask the service about its filter; the form of the request is not at fault.',
  },
  unexpected_finish_reason: {
    title: 'Unexpected finish_reason',
    explanation: 'The generation ended in a different way than the probe expects.',
    advice: 'Check what the new value means before relying on the content.',
  },
  refused: {
    title: 'Refused by the model',
    explanation: 'The model declined in its refusal field; there is no structured result.',
    advice: 'Show or log the refusal; do not parse the content.',
  },
  empty_content: {
    title: 'Empty content',
    explanation: 'The status and the finish_reason look fine, but there is no content.',
    advice: 'Treat it as a failure: raise max_tokens, or use tool calls for this model if those work.',
  },
  missing_tool_call: {
    title: 'No tool call',
    explanation: 'A tool call or its arguments were expected but are not in tool_calls.',
    advice:
      'Decide by tool_calls, never by finish_reason; use another form of tool_choice or a model verified for tools.',
  },
  unexpected_tool_call: {
    title: 'Unexpected tool call',
    explanation: 'The model called a tool although tool_choice is none or no tool was offered.',
    advice: 'Never run a call that was not asked for; leave the tools out of requests that must not lead to a call.',
  },
  wrong_function: {
    title: 'Wrong function',
    explanation: 'The call names a function that is not declared, or not the one that was asked for.',
    advice: 'Check the returned function name before running anything.',
  },
  not_json: {
    title: 'Not JSON',
    explanation: 'The content or the arguments do not parse as JSON as they stand.',
    advice:
      'Retry a limited number of times with the same input and a lower temperature; otherwise use a form verified for this model.',
  },
  schema_violation: {
    title: 'Breaks the schema',
    explanation: 'It parses, but its fields, types, enums or required members do not match the schema.',
    advice:
      'Validate on the client; switch to a form or model verified for this schema, or use json_object with validation.',
  },
  rule_violation: {
    title: 'Wrong values',
    explanation: 'The structure is right, but the values break a rule of the client; strict never guarantees values.',
    advice: 'Check amounts, quantities and dates before acting; send the case to review.',
  },
  not_enforced: {
    title: 'Constraint not enforced',
    explanation: 'The service accepted a schema keyword but let through a document that breaks it.',
    advice: 'Do not rely on the service for this keyword; check it on the client.',
  },
  ineffective: {
    title: 'No effect',
    explanation: 'The setting was accepted and changed nothing.',
    advice: 'Acceptance does not mean support; use a setting whose effect is visible.',
  },
} as const satisfies Readonly<Record<string, Prose>>;

export type OutcomeClass = keyof typeof classes;

export const outcomeProse: Readonly<Record<OutcomeClass, Prose>> = classes;

/** In the order in which a client checks. */
export const outcomeClasses = Object.keys(classes) as readonly OutcomeClass[];
