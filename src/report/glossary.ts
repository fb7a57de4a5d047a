import type { OutcomeClass, Rung } from '../judge/outcome.js';

/** What the outcome classes mean, in the order in which a client checks. */
const classes: Readonly<Record<OutcomeClass, string>> = {
  transport: 'No whole answer came: a connection that was refused or cut, or a time-out. No judgement of the model.',
  http_error: 'Answered with another status than 2xx. The reason says what was refused, as far as the answer tells.',
  malformed_response: 'Status 200 without a readable choice: an error object, an empty stream, a page of HTML.',
  truncated: 'finish_reason is length: the output is cut and must not be used.',
  filtered: 'A content filter ended the output.',
  unexpected_finish_reason: 'The output ended for another reason than those that were expected.',
  refused: 'The model declined in words where a result was asked for.',
  empty_content: 'Status 200, but neither content nor arguments.',
  missing_tool_call: 'A tool call was required, and none came; text that looks like one does not count.',
  unexpected_tool_call: 'A tool call came where none may come.',
  wrong_function: 'A tool was called, but not the one that was named, or one that was not declared.',
  not_json: 'The content does not parse as JSON as it stands: prose, a code fence or reasoning around it.',
  schema_violation: 'It parses, but does not conform to the schema.',
  rule_violation: 'It conforms, but a business rule is broken: a sum, a date, a permission.',
  not_enforced: 'The schema was accepted and did not constrain the output.',
  ineffective: 'The setting was accepted and had no effect.',
};

/** What every judged trial of a cell has reached at least. */
const levels: Readonly<Record<Rung, string>> = {
  accepted: 'the service answered 2xx',
  complete: 'the output was not cut or filtered',
  present: 'there is content, or a call',
  parses: 'it is JSON, where JSON was asked for',
  conforms: 'it conforms to the schema',
  correct: 'the values are right',
};

export const glossary = {
  classes: Object.entries(classes).map(([name, meaning]) => ({ name, meaning })),
  rungs: Object.entries(levels).map(([name, meaning]) => ({ name, meaning })),
} as const;
