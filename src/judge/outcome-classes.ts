/** What an outcome class or a reason means to people. */
export interface Prose {
  readonly title: string;
  readonly explanation: string;
  /** What to do about it. */
  readonly advice: string;
}

/** What an outcome class means, with what follows from it. */
export interface ClassProse extends Prose {
  /** What goes wrong in a client that does not check. */
  readonly breaks: string;
  /** What usually lies behind it. */
  readonly cause: string;
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
    breaks: 'Agents that wait without a time limit hang; a cut stream can look like a short answer.',
    cause:
      'Network, proxy or load balancer, a service that restarts, or a generation longer than a time limit on the way.',
  },
  http_error: {
    title: 'HTTP error',
    explanation: 'The service answered with a status other than 2xx; no content was read.',
    advice:
      'Look at the reason: some refusals concern the account or are temporary, others concern the request itself.',
    breaks:
      'The call fails in every client; one that retries blindly pays or waits for nothing where the request itself is refused.',
    cause: 'The reason tells: key or account, load, a form or parameter that the model does not take, or a crash.',
  },
  malformed_response: {
    title: 'No readable choice',
    explanation:
      'The status says success, but the body contains no choice: an error object, no choices, or no completion at all.',
    advice: 'Treat it as a failed call, never as empty text; keep the body, the id and the traceresponse for support.',
    breaks: 'Clients that trust the status read `choices[0]` and throw, or store an empty answer.',
    cause:
      'A gateway that answers in place of the service, an error put into a 200, or a stream that ended before it began.',
  },
  truncated: {
    title: 'Cut by the token limit',
    explanation:
      'The answer reached a limit on its tokens, usually max_tokens, and is incomplete, whatever it looks like.',
    advice:
      'Raise max_tokens; a model that reasons needs room for its reasoning as well as for the final answer. Where the answer ended short of max_tokens, shorten the prompt, or use a model with a larger context window.',
    breaks:
      'JSON ends in the middle; a parser that repairs it invents the rest. Lists lose their last items without a sign.',
    cause:
      '`max_tokens` is too small for the document, or reasoning used it up before the answer began; or prompt and answer fill the context window.',
  },
  filtered: {
    title: 'Filtered',
    explanation: 'The content filter of the service ended the answer.',
    advice: 'Rephrase the input or ask the service about its filter; the form of the request is not at fault.',
    breaks: 'The answer stops in the middle, or is missing, with status 200.',
    cause: 'Words in the input or output that a filter takes for harmful; harmless texts are caught, too.',
  },
  unexpected_finish_reason: {
    title: 'Unexpected finish_reason',
    explanation: 'The generation ended in a different way than the probe expects.',
    advice: 'Check what the new value means before relying on the content.',
    breaks: 'Clients that know four values treat the answer as unfinished, or as complete although it is not.',
    cause: "A vendor's own value, or an ending that the probe excludes.",
  },
  refused: {
    title: 'Refused by the model',
    explanation: 'The model declined in its refusal field; there is no structured result.',
    advice: 'Show or log the refusal; do not parse the content.',
    breaks: 'Parsers fail, because `content` is null and the text stands in `refusal`.',
    cause: 'The model holds the task for something that it must not do.',
  },
  empty_content: {
    title: 'Empty content',
    explanation: 'The status and the finish_reason look fine, but there is no content.',
    advice: 'Treat it as a failure: raise max_tokens, or use tool calls for this model if those work.',
    breaks: 'Code that expects text gets an empty string or null and goes on with it.',
    cause:
      'Reasoning took all tokens, `response_format` is not supported although it is accepted, or the text stands in another field.',
  },
  missing_tool_call: {
    title: 'No tool call',
    explanation: 'A tool call or its arguments were expected but are not in tool_calls.',
    advice:
      'Decide by tool_calls, never by finish_reason; use another form of tool_choice or a model verified for tools.',
    breaks: 'An agent stops, or takes a sentence such as "I will create the order" for the deed.',
    cause: 'The model answers in prose or writes the call as text, or the service ignores `tool_choice`.',
  },
  unexpected_tool_call: {
    title: 'Unexpected tool call',
    explanation: 'The model called a tool although tool_choice is none or no tool was offered.',
    advice: 'Never run a call that was not asked for; leave the tools out of requests that must not lead to a call.',
    breaks: 'An agent that runs every call does something that nobody asked for.',
    cause: 'The service ignores `tool_choice: none`, or the model makes up a tool.',
  },
  wrong_function: {
    title: 'Wrong function',
    explanation: 'The call names a function that is not declared, or not the one that was asked for.',
    advice: 'Check the returned function name before running anything.',
    breaks: 'An agent runs another function than the one that was meant, or fails on a name that it does not know.',
    cause: 'The service treats the object form of `tool_choice` like `auto`, or the model changes the name.',
  },
  not_json: {
    title: 'Not JSON',
    explanation: 'The content or the arguments do not parse as JSON as they stand.',
    advice:
      'Retry a limited number of times with the same input and a lower temperature; otherwise use a form verified for this model.',
    breaks: '`JSON.parse` throws.',
    cause:
      'A code fence or a sentence around the JSON, a comma too many, reasoning in the content, or a service that ignores `response_format`.',
  },
  schema_violation: {
    title: 'Breaks the schema',
    explanation: 'It parses, but its fields, types, enums or required members do not match the schema.',
    advice:
      'Validate on the client; switch to a form or model verified for this schema, or use json_object with validation.',
    breaks: 'Typed code meets a missing field, a text where a number belongs, or a member that it does not know.',
    cause: '`strict` is ignored or not supported for this keyword, or the prompt contradicts the schema.',
  },
  rule_violation: {
    title: 'Wrong values',
    explanation: 'The structure is right, but the values break a rule of the client; strict never guarantees values.',
    advice: 'Check amounts, quantities and dates before acting; send the case to review.',
    breaks: 'Everything parses, and the order, the invoice or the date is wrong.',
    cause: 'The model misread the input or miscounted. No schema can prevent it.',
  },
  not_enforced: {
    title: 'Constraint not enforced',
    explanation: 'The service accepted a schema keyword but let through a document that breaks it.',
    advice: 'Do not rely on the service for this keyword; check it on the client.',
    breaks: 'A document that breaks the keyword reaches your code some day, although the service promised otherwise.',
    cause: 'The service compiles only part of JSON Schema, and ignores the rest without saying so.',
  },
  ineffective: {
    title: 'No effect',
    explanation: 'The setting was accepted and changed nothing.',
    advice: 'Acceptance does not mean support; use a setting whose effect is visible.',
    breaks: 'You pay for a setting that does nothing, or rely on one that is off.',
    cause: 'The service drops fields that it does not know, or the model does not support the setting.',
  },
} as const satisfies Readonly<Record<string, ClassProse>>;

export type OutcomeClass = keyof typeof classes;

export const outcomeProse: Readonly<Record<OutcomeClass, ClassProse>> = classes;

/** In the order in which a client checks. */
export const outcomeClasses = Object.keys(classes) as readonly OutcomeClass[];
