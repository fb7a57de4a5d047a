import { outcomeProse, reasonProse, type OutcomeClass, type Prose, type Reason } from '../../../judge/outcome.js';
import type { AdviceCode } from '../../../matrix/advice.js';
import type { ChangeKind } from '../../../matrix/changes/change.js';
import { type Arguments, type Message, type Plain, text } from '../message.js';

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

/** Changes. `what` names capabilities, `fault` is one of {@link faults} or {@link refusals}. */
const changes = {
  behaviour: text<{ title: string }>('{title}.'),
  lost: text<{ what: string; fault: string; passed: number; total: number }>(
    '{what}: {fault}. {passed, plural, =0 {None} other {#}} of {total, number} passed.',
  ),
  together: text<{ fault: string; failed: number; total: number; before: number; of: number }>(
    '{failed, number} of {total, number} answers of any kind failed ({fault}); before, {before, plural, =0 {none} other {#}} of {of, number}.',
  ),
  doubt: text<{ what: string; fault: string; before: number; of: number } & PassedOf>(
    '{what}: {passed, number} of {total, number} passed, {of, plural, =0 {and nothing was known before} other {{before, number} of # before}}{fault, select, none {} other {: {fault}}}.',
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

/** Advice about a change, where neither the behaviour nor the failure says it. */
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
  day: text<{ day: string }>('since {day}'),
  dayAtLeast: text<{ day: string }>('since {day} or before'),
};

/** Whether other models show the same. */
const scopes = {
  one: text('only this model'),
  target: text<{ targets: string; day: string }>(
    'all models of {targets}{day, select, now {} other { since {day}}}: look at this service',
  ),
  some: text<{ models: number; of: number }>('{models, number} of {of, number} models'),
  all: text<{ day: string }>('all models{day, select, now {} other { since {day}}}: look at the service'),
};

type OfStatus = Message<{ status: string }>;

/** Faults of answers, by outcome class; {@link refusals} say more of `http_error`. */
const faults: Readonly<Record<OutcomeClass, OfStatus>> = {
  ...entriesOf(outcomeProse, ({ clause }) => text<{ status: string }>(clause)),
  http_error: withStatus(outcomeProse.http_error),
};

/** Refusals of the service, by reason. */
const refusals: Readonly<Record<Reason, OfStatus>> = entriesOf(reasonProse, withStatus);

function withStatus({ clause }: Prose): OfStatus {
  return text<{ status: string }>(`${clause} (HTTP {status})`);
}

/** A table of messages, one for each entry of a table of texts. */
function entriesOf<Name extends string, Entry, A extends Arguments>(
  table: Readonly<Record<Name, Entry>>,
  messageOf: (entry: Entry, name: Name) => Message<A>,
): Readonly<Record<Name, Message<A>>> {
  const entries = Object.entries<Entry>(table).map(([name, entry]) => [name, messageOf(entry, name as Name)]);
  return Object.fromEntries(entries) as Record<Name, Message<A>>;
}

/** Arguments of an advice: counts of failures, another way with its counts, and lines for a config. */
export interface AdviceArguments extends Readonly<Record<string, string | number>> {
  readonly passed: number;
  readonly total: number;
  readonly way: string;
  readonly otherPassed: number;
  readonly otherTotal: number;
  readonly config: string;
  readonly option: string;
  /** The field that a refusal names. */
  readonly field: string;
  /** The largest value of a search. */
  readonly most: number;
}

const advice = (icu: string): Message<AdviceArguments> => text<AdviceArguments>(icu);
const orWay = '{way, select, none {} other { {way} works: {otherPassed, number} of {otherTotal, number} passed.}}';
const elseModel =
  '{way, select, none {Use another model for this.} other {Send {way}: {otherPassed, number} of {otherTotal, number} passed.}}';

/** Classes and reasons for which another way of asking is worth a try. */
const namesOtherWay: readonly (OutcomeClass | Reason)[] = [
  ...(['http_error', 'unknown', 'server_error', 'empty_content', 'missing_tool_call'] as const),
  ...(['wrong_function', 'not_json', 'schema_violation', 'truncated', 'schema_rejected'] as const),
  ...(['model_output_rejected', 'refused', 'unexpected_finish_reason'] as const),
];
const ownAdvice = (prose: Prose, name: OutcomeClass | Reason): Message<AdviceArguments> =>
  advice(namesOtherWay.includes(name) ? `${prose.advice}${orWay}` : prose.advice);

/** Advice, by the failure and by what else the model can do: `matrix/advice.ts` chooses. */
const remedies: Readonly<Record<AdviceCode, Message<AdviceArguments>>> = {
  ...entriesOf(outcomeProse, ownAdvice),
  ...entriesOf(reasonProse, ownAdvice),
  configure: advice('Write `{config}` under the model in chatspec.yaml, or give `{option}`.'),
  call_as_text: advice(`The model writes its calls as text, and more tokens do not help. ${elseModel}`),
  repetition: advice(`The answer repeats itself, and more tokens do not help. ${elseModel}`),
  white_space: advice(
    `White space runs on to the cap, and more tokens do not help: ask for JSON without line breaks.${orWay}`,
  ),
  reasoning: advice(`Raise \`max_tokens\`, with room for reasoning.${orWay}`),
  no_cap: advice(`No \`max_tokens\` up to {most, number} is enough. ${elseModel}`),
  leave_out: advice('Leave `{field}` out for this model.'),
  short_of_cap: advice('Shorten the prompt, or use a model with a larger window: the cap was not reached.'),
  no_tools: advice(
    'This model takes no tools: {way, select, none {use another model for them.} other {send {way}, {otherPassed, number} of {otherTotal, number} passed.}}',
  ),
  without_tools: advice('Send the request without tools: that asks for the same.'),
  no_choice: advice(`Leave \`tool_choice\` out, and check that a call comes.${orWay}`),
  send_required: advice(
    `{way, select, none {${reasonProse.tool_choice_unsupported.advice}} other {Send {way} with that tool alone: {otherPassed, number} of {otherTotal, number} passed.}}`,
  ),
  thinking_off: advice(reasonProse.tool_choice_thinking.advice),
  other_form: advice(
    `{way, select, none {${reasonProse.response_format_unsupported.advice}} other {Send {way}: {otherPassed, number} of {otherTotal, number} passed.}}`,
  ),
  other_request: advice(`Send it another way, and show support the evidence.${orWay}`),
  hopeless: advice(`Retrying does not help. ${elseModel}`),
  seldom: advice(`Retrying seldom helps. ${elseModel}`),
  retry: advice(`Validate and retry a few times.${orWay}`),
};

/** How another way is sent. */
const otherWays = {
  call: text<{ members: string }>('tools{members, select, none {} other { with `{members}`}}'),
  form: text<{ form: string; members: string }>('`{form}`{members, select, none {} other { with `{members}`}}'),
};

export const changesTexts = { changeTitles, changes, todos, scopes, sinceTexts, faults, refusals, remedies, otherWays };
