import type { OutcomeClass, Reason } from '../../../judge/outcome.js';
import { type Message, type Plain, text } from '../message.js';

export const changeKinds = [
  'gone',
  'lost',
  'changed',
  'new',
  'wire',
  'gained',
  'served',
  'unreliable',
  'doubt',
] as const;
export type ChangeKind = (typeof changeKinds)[number];

interface OfKind {
  readonly kind: ChangeKind;
}

/** Whether it stands among the changes; what is in doubt or unreliable is named after them. */
export const isListedChange = ({ kind }: OfKind): boolean => kind !== 'doubt' && kind !== 'unreliable';

/** Whether it makes a run red. */
export const isDeviating = (change: OfKind): boolean => isListedChange(change) && change.kind !== 'served';

const changeTitles: Readonly<Record<ChangeKind, Plain>> = {
  gone: text('gone'),
  lost: text('worse'),
  changed: text('changed'),
  new: text('new'),
  wire: text('wire format'),
  gained: text('better'),
  served: text('served'),
  unreliable: text('unreliable'),
  doubt: text('in doubt'),
};

type Moved = Readonly<{ what: string; value: number; before: number }>;
type PassedOf = Readonly<Record<'passed' | 'total', number>>;

/** What changed. `what` names capabilities, `fault` is one of {@link faults} or {@link refusals}. */
const changes = {
  behaviour: text<{ title: string }>('{title}.'),
  lost: text<{ what: string; fault: string; passed: number; total: number }>(
    '{what}: {fault}. {passed, plural, =0 {None} other {#}} of {total, number} passed.',
  ),
  together: text<{ fault: string; failed: number; total: number; before: number; of: number }>(
    '{failed, number} of {total, number} answers of any kind failed ({fault}); before, {before, plural, =0 {none} other {#}} of {of, number}.',
  ),
  doubt: text<{ what: string; fault: string; known: number; of: number } & PassedOf>(
    '{what}: {passed, number} of {total, number} passed, {of, plural, =0 {and nothing was known before} other {{known, number} of # before}}{fault, select, none {} other {: {fault}}}.',
  ),
  unreliable: text<{ what: string; fault: string } & PassedOf>(
    '{what}: accepted as passing, and {passed, number} of {total, number} passed{fault, select, none {} other {: {fault}}}.',
  ),
  needsMore: text<Moved>('{what}: needs {value, number} now; {before, number} was enough before.'),
  needsLess: text<Moved>('{what}: {value, number} is enough now; it needed {before, number} before.'),
  worksUpTo: text<Moved>('{what}: works up to {value, number} now; up to {before, number} before.'),
  worksAtNone: text<Omit<Moved, 'value'>>('{what}: no value passes now; {before, number} did before.'),
  changed: text<{ what: string; fault: string; before: string }>(
    '{what} still fails, differently: {fault}; before, {before}.',
  ),
  gained: text<{ what: string; passed: number; total: number }>(
    '{what}: works now ({passed, number} of {total, number} passed).',
  ),
  rate: text<{ what: string; fault: string; before: number; of: number } & PassedOf>(
    '{what}: {passed, number} of {total, number} passed, {before, number} of {of, number} before{fault, select, none {} other {: {fault}}}.',
  ),
  gone: text<{ status: string }>(
    'The service no longer knows this model{status, select, none {} other { ({status})}}.',
  ),
  served: text<{ field: string; before: string; now: string }>(
    '{field, select, model {Answers come from {now}; in the run before, from {before}.} other {The system fingerprint is {now}; in the run before, {before}.}}',
  ),
  wireNew: text<{ quirk: string }>('Answers look different: {quirk}'),
  wireGone: text<{ quirk: string }>('No longer happens: {quirk}'),
};

/** What to do about a change, where neither the behaviour nor the failure says it. */
const todos = {
  gone: text('Remove it from chatspec.yaml, or give it a `retired` date.'),
  gained: text('Accept it, so that losing it again counts as a change.'),
  gainedUnaccepted: text('A whole run can accept it, so that losing it again counts as a change.'),
  served: text('Nothing to accept: read what changed with this in mind.'),
  wire: text('Check that your client reads it.'),
  wireBreaks: text<{ clients: string }>('May break clients: {clients}.'),
  unreliable: text('Accept it as it is, or use another form.'),
  unreliableUnaccepted: text('Use another form, or wait for a whole run.'),
  doubt: text('Nothing to do yet. The next run will decide.'),
};

const sinceTexts = {
  now: text('new'),
  since: text<{ day: string; runs: number }>('since {day} ({runs, plural, one {# run} other {# runs}})'),
  atLeast: text<{ day: string; runs: number }>('since {day} or before ({runs, plural, one {# run} other {# runs}})'),
};

/** Whether other models show the same. */
const scopes = {
  one: text('only this model'),
  some: text<{ models: number; of: number }>('{models, number} of {of, number} models'),
  all: text<{ day: string }>('all models{day, select, now {} other { since {day}}}: look at the service'),
};

type OfStatus = Message<{ status: string }>;
const ofStatus = (icu: string): OfStatus => text<{ status: string }>(icu);

/** What is wrong with answers, by outcome class; {@link refusals} say more of `http_error`. */
const faults: Readonly<Record<OutcomeClass, OfStatus>> = {
  transport: ofStatus('no answer arrives'),
  http_error: ofStatus('the service answers HTTP {status}'),
  malformed_response: ofStatus('answers hold no readable choice'),
  truncated: ofStatus('answers are cut at the token cap'),
  filtered: ofStatus('a content filter stops answers'),
  unexpected_finish_reason: ofStatus('answers end with an unexpected `finish_reason`'),
  refused: ofStatus('the model declines'),
  empty_content: ofStatus('answers are empty'),
  missing_tool_call: ofStatus('no tool call comes'),
  unexpected_tool_call: ofStatus('a tool is called although none may be'),
  wrong_function: ofStatus('another function is called'),
  not_json: ofStatus('answers are not JSON'),
  schema_violation: ofStatus('answers break the schema'),
  rule_violation: ofStatus('values are wrong'),
  not_enforced: ofStatus('a schema keyword is not enforced'),
  ineffective: ofStatus('the setting has no effect'),
  not_refused: ofStatus('what should be refused is accepted'),
};

/** What the service refuses, by reason. */
const refusals: Readonly<Record<Reason, OfStatus>> = {
  auth: ofStatus('the key is not accepted (HTTP {status})'),
  quota: ofStatus('the quota is used up (HTTP {status})'),
  rate_limited: ofStatus('the service limits the rate (HTTP {status})'),
  overloaded: ofStatus('the service is overloaded (HTTP {status})'),
  gateway: ofStatus('a gateway answers HTTP {status}'),
  model_not_found: ofStatus('the model is unknown (HTTP {status})'),
  context_length: ofStatus('the request is too long (HTTP {status})'),
  content_filtered: ofStatus('a content filter refuses it (HTTP {status})'),
  tool_choice_unsupported: ofStatus('`tool_choice` is refused (HTTP {status})'),
  tool_choice_thinking: ofStatus('`tool_choice` is refused while thinking (HTTP {status})'),
  response_format_unsupported: ofStatus('`response_format` is refused (HTTP {status})'),
  json_word_required: ofStatus('refused without the word json (HTTP {status})'),
  schema_rejected: ofStatus('the schema is refused (HTTP {status})'),
  parameter_rejected: ofStatus('a parameter is refused (HTTP {status})'),
  model_output_rejected: ofStatus('the service rejects its own output (HTTP {status})'),
  server_error: ofStatus('the service answers HTTP {status}'),
  unknown: ofStatus('the service answers HTTP {status}'),
};

/** What to do, by outcome class. */
const remedies: Readonly<Record<OutcomeClass, Plain>> = {
  transport: text('Retry a few times, then check the network and the service.'),
  http_error: text('Read the evidence: the refusal says what it does not take.'),
  malformed_response: text('Treat it as a failed call, and keep the body for support.'),
  truncated: text('Raise `max_tokens`, with room for reasoning.'),
  filtered: text('Rephrase the input, or ask the service about its filter.'),
  unexpected_finish_reason: text('Check what the value means before you use the content.'),
  refused: text('Show or log the refusal; do not parse the content.'),
  empty_content: text('Treat it as a failure; use tool calls where they work.'),
  missing_tool_call: text('Check that `tool_calls` is there, or use another model.'),
  unexpected_tool_call: text('Never run a call that you did not ask for.'),
  wrong_function: text('Check the name of the function before you run it.'),
  not_json: text('Validate and retry a few times, or use another form.'),
  schema_violation: text('Validate and retry a few times, or use another form.'),
  rule_violation: text('Check amounts and dates before you act.'),
  not_enforced: text('Check this keyword in your own code.'),
  ineffective: text('Do not rely on the setting.'),
  not_refused: text('Check such requests yourself: the service lets them through.'),
};

/** The same for refusals that leave another way. */
const ways: Readonly<Partial<Record<Reason, Plain>>> = {
  gateway: text('Ask those who run the gateway; stream long answers.'),
  context_length: text('Shorten the input, or use a model with a larger window.'),
  tool_choice_unsupported: text('Send only that tool, with `tool_choice: "required"`.'),
  tool_choice_thinking: text('Send `"required"`, or switch thinking off.'),
  response_format_unsupported: text('Use another form, such as tool calls.'),
  json_word_required: text('Add a system message that says: return only JSON.'),
  schema_rejected: text('Keep to simple keywords, and check the rest yourself.'),
  parameter_rejected: text('Leave the parameter out for this model.'),
  model_output_rejected: text('Retry with a lower temperature.'),
  server_error: text('Send it another way, and show support the evidence.'),
};

export const changesTexts = { changeTitles, changes, todos, scopes, sinceTexts, faults, refusals, remedies, ways };
