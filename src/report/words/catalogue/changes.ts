import type { OutcomeClass, Reason } from '../../../judge/outcome.js';
import type { AdviceCode } from '../../../matrix/advice.js';
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

/** What an advice may name: counts of what failed, another way with its counts, and what a config says. */
export interface AdviceArguments extends Readonly<Record<string, string | number>> {
  readonly passed: number;
  readonly total: number;
  readonly way: string;
  readonly otherPassed: number;
  readonly otherTotal: number;
  readonly config: string;
  readonly option: string;
}

const advice = (icu: string): Message<AdviceArguments> => text<AdviceArguments>(icu);
const orWay = '{way, select, none {} other { {way} works: {otherPassed, number} of {otherTotal, number} passed.}}';
const elseModel =
  '{way, select, none {Use another model for this.} other {Send {way}: {otherPassed, number} of {otherTotal, number} passed.}}';

/** What to do, by what failed and what else the model can do: `matrix/advice.ts` chooses. */
const remedies: Readonly<Record<AdviceCode, Message<AdviceArguments>>> = {
  transport: advice('Retry a few times, then check the network and the service.'),
  http_error: advice(`Read the evidence: the refusal says what it does not take.${orWay}`),
  malformed_response: advice('Treat it as a failed call, and keep the body for support.'),
  truncated: advice('Raise `max_tokens`.'),
  filtered: advice('Rephrase the input, or ask the service about its filter.'),
  unexpected_finish_reason: advice('Check what the value means before you use the content.'),
  refused: advice('Show or log the refusal; do not parse the content.'),
  empty_content: advice(`Treat it as a failure.${orWay}`),
  missing_tool_call: advice('Check `tool_calls` before you act.'),
  unexpected_tool_call: advice('Never run a call that you did not ask for.'),
  wrong_function: advice(`Check the name of the function before you run it.${orWay}`),
  not_json: advice(`Validate every answer.${orWay}`),
  schema_violation: advice(`Validate every answer.${orWay}`),
  rule_violation: advice('Check amounts and dates before you act.'),
  not_enforced: advice('Check this keyword in your own code.'),
  ineffective: advice('Do not rely on the setting.'),
  not_refused: advice('Check such requests yourself: the service lets them through.'),
  gateway: advice('Ask those who run the gateway; stream long answers.'),
  context_length: advice('Shorten the input, or use a model with a larger window.'),
  json_word_required: advice('Add a system message that says: return only JSON.'),
  schema_rejected: advice('Keep to simple keywords, and check the rest yourself.'),
  model_output_rejected: advice('Retry with a lower temperature.'),
  configure: advice('Write `{config}` under the model in chatspec.yaml, or give `{option}`.'),
  call_as_text: advice(`The model writes its calls as text, and more tokens do not help. ${elseModel}`),
  repetition: advice(`The answer repeats itself, and more tokens do not help. ${elseModel}`),
  white_space: advice(
    `White space runs on to the cap, and more tokens do not help: ask for JSON without line breaks.${orWay}`,
  ),
  reasoning: advice('Raise `max_tokens`, with room for reasoning.'),
  short_of_cap: advice('Shorten the prompt, or use a model with a larger window: the cap was not reached.'),
  no_tools: advice(
    'This model takes no tools: {way, select, none {use another model for them.} other {send {way}, {otherPassed, number} of {otherTotal, number} passed.}}',
  ),
  send_required: advice(
    '{way, select, none {Send `"required"` with that tool alone.} other {Send {way} with that tool alone: {otherPassed, number} of {otherTotal, number} passed.}}',
  ),
  thinking_off: advice('Send `"required"`, or switch thinking off.'),
  other_form: advice(
    '{way, select, none {Use another form or model.} other {Send {way}: {otherPassed, number} of {otherTotal, number} passed.}}',
  ),
  leave_out: advice('Leave the parameter out for this model.'),
  other_request: advice(`Send it another way, and show support the evidence.${orWay}`),
  hopeless: advice(`Retrying does not help ({passed, number} of {total, number} passed). ${elseModel}`),
  retry: advice(`Validate and retry a few times.${orWay}`),
  check_calls: advice(`Check \`tool_calls\` before you act.${orWay}`),
};

/** How another way is sent. */
const otherWays = {
  call: text<{ members: string }>('tools with `{members}`'),
  form: text<{ form: string; members: string }>('`{form}`{members, select, none {} other { with `{members}`}}'),
};

export const changesTexts = { changeTitles, changes, todos, scopes, sinceTexts, faults, refusals, remedies, otherWays };
