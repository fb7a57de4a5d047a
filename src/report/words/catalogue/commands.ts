import type { RecordProblem } from '../../../judge/recorded/recorded-pair.js';
import { type Message, text } from '../message.js';

/** Counted things, by the noun. */
const nounCounts = {
  cell: text<{ count: number }>('{count, plural, one {# check} other {# checks}}'),
  fault: text<{ count: number }>('{count, plural, one {# fault} other {# faults}}'),
  request: text<{ count: number }>('{count, plural, one {# request} other {# requests}}'),
  'request shape': text<{ count: number }>('{count, plural, one {# request shape} other {# request shapes}}'),
  'more reason': text<{ count: number }>('{count, plural, one {# more reason} other {# more reasons}}'),
  run: text<{ count: number }>('{count, plural, one {# run} other {# runs}}'),
};

type ListChangeCounts = Readonly<Record<'added' | 'changed' | 'removed' | 'kept', number>>;

/** Texts of `baseline accept`: entries that it writes, and entries that it leaves. */
const acceptance = {
  list: text<{ list: string } & ListChangeCounts>(
    '{list}: {added, number} added, {changed, number} changed, {removed, number} removed, {kept, number} kept',
  ),
  more: text<{ more: number }>('and {more, number} more'),
  nothing: text('accepting would change nothing'),
  would: text<{ lists: string }>('without --dry-run, these entries change: {lists}'),
  noted: text<{ cells: number }>(
    '{cells, plural, one {# check has} other {# checks have}} no result; the baseline lists {cells, plural, one {it} other {them}} as unknown',
  ),
  littleKnown: text<{ cells: number }>(
    '{cells, plural, one {# check is} other {# checks are}} known from fewer than 10 trials: a partial drop in those is ' +
      'reported, but raises no alarm; --profile certify asks more',
  ),
  unnamed: text<{ entries: number; models: string }>(
    '{entries, plural, one {# entry is} other {# entries are}} of models that the config does not name ({models}); ' +
      '--prune removes them',
  ),
  stays: text<{ cells: number; cell: string; why: string }>(
    '{cells, plural, one {{cell} stays as it was} other {# checks, such as {cell}, stay as they were}}: {why}',
  ),
};

/** Why a cell stays as it was in the baseline. */
const keptReasonTexts: Readonly<Record<'holds' | 'in_doubt' | 'not_judged', Message<{ shown: string }>>> = {
  holds: text<{ shown: string }>('the baseline already says what the run shows'),
  in_doubt: text<{ shown: string }>('the run did not settle whether it has changed; --only accepts it all the same'),
  not_judged: text<{ shown: string }>('there is no result to accept{shown, select, none {} other { ({shown})}}'),
};

/** Ends of models as catalogues announce them. */
const ends = {
  announced: text<{ model: string; date: string; days: number; is: string }>(
    '{is, select, over {{model} was announced to be gone from {date}} ' +
      'other {{model} is announced to be gone from {date}, in {days, plural, one {# day} other {# days}}}}',
  ),
  hint: text<{ date: string }>('move to another model, and write `retired: {date}` under this one in chatspec.yaml'),
};

/** Texts of `evidence`. */
const evidenceTexts = {
  exchanges: text<{ shown: number; of: number }>('{shown, number} of {of, plural, one {# request} other {# requests}}'),
  ofCheck: text('of this check'),
  failingFirst: text('failures first'),
  repeated: text('(repeats and control requests included)'),
  trials: text<{ passed: number; total: number; faults: number; needed: number; low: number; high: number }>(
    '{passed, number} of {total, number} passed' +
      '{faults, plural, =0 {} one {; # fault not counted} other {; # faults not counted}}' +
      '{needed, plural, =0 {} other {, # more needed to decide}}; the true rate may be ' +
      '{passed, plural, =0 {as high as {high} %} other {{low} to {high} %}}',
  ),
};

/** Counts and progress of `clients try`. */
const trials = {
  noticed: text<{ noticed: number; ways: number }>(
    'noticed in {noticed, number} of {ways, plural, one {# way} other {# ways}}',
  ),
  alike: text<{ ways: number; model: string }>('{ways, plural, one {# way} other {# ways}}, such as {model}'),
  started: text<{ runs: number; took: number; limit: number; jobs: number }>(
    'with right answers it took {took, number} s; {runs, plural, one {# more run} other {# more runs}}, ' +
      '{jobs, number} at a time, each for at most {limit, number} s',
  ),
  progress: text<{ done: number; runs: number }>('{done, number} of {runs, plural, one {# run} other {# runs}}'),
  waiting: text('one run with right answers first'),
};

/** Texts of `doctor` for an id that the service does not know. */
const unknownIds = {
  gone: text('an earlier run knew this model, but the service no longer knows it'),
  unknown: text('the service does not know this id, and no earlier run did'),
  noList: text("check it against the service's documentation, since it has no list under /models"),
  listed: text('its /models lists it, so ask whether the key may use it'),
  notNear: text<{ ids: string; more: number }>(
    'no id in its /models is close: {ids}{more, plural, =0 {} other { and # more}}',
  ),
};

/** Texts of `check` for a model, a schema and a prompt. */
const checkTexts = {
  relyOn: text<{ form: string; passed: number; total: number; interval: string }>(
    'Rely on {form}: {passed, number} of {total, number} fresh answers conform (95 % interval {interval}).',
  ),
  unmeasured: text<{ why: string }>('Not measured: {why}'),
  relyOnNone: text<{ model: string }>('Rely on no form of {model} for this schema and prompt.'),
  noneConforms: text('No form gave an answer that conforms.'),
  flaky: text<{ forms: string }>('They are flaky: {forms} answers conform. Validate every answer, and retry.'),
  interrupted: text('Interrupted.'),
  undecided: text('no form was decided.'),
  interruptedBefore: text('the check was interrupted before a form was decided.'),
  budget: text<{ budget: number }>(
    'the budget of {budget, plural, one {# request} other {# requests}} was spent before a form was decided; ' +
      'raise it with --budget-requests.',
  ),
  cut: text('Interrupted: what is not shown was not asked.'),
  few: text<{ trials: number; confirming: number }>(
    'Only {trials, plural, one {# fresh trial} other {# fresh trials}}, as asked: ' +
      'without --trials, a form is relied on after {confirming, number}.',
  ),
  spent: text('The request budget was spent before everything was asked.'),
  longest: text<{ tokens: number }>(
    'The longest answer of this form took {tokens, plural, one {# output token} other {# output tokens}}. ' +
      'Leave room for longer texts.',
  ),
  values: text('Conforming is no proof of right values: check amounts and dates by rules of your own.'),
  asked: text<{ requests: number; tokens: number; folder: string }>(
    'asked     {requests, plural, one {# request} other {# requests}}, {tokens} tokens; every answer is in {folder}',
  ),
  morePasses: text<{ needed: number }>('{needed, number} more passes would be needed'),
  notAsked: text('not asked'),
  schemaInPrompt: text('json_object, schema in the prompt'),
};

/** Texts of `list` for the time that a plan takes. */
const listing = {
  pace: text<{ unseen: number; seen: number }>(
    'within the limits; {seen, plural, =0 {no answer was seen yet, so each is assumed to take one second} other {' +
      'answers as fast as in the last run{unseen, plural, =0 {} one {, and of # model, which was not seen, one second each} ' +
      'other {, and of # models, which were not seen, one second each}}}}',
  ),
};

/** Why something that `judge` read cannot be judged. */
const recordProblemTexts: Readonly<Record<RecordProblem, Message<{ why: string }>>> = {
  not_json: text<{ why: string }>('the line is not JSON; each line holds one whole document'),
  too_long: text<{ why: string }>('the line is longer than 64 MiB'),
  unknown_form: text<{ why: string }>(
    'a line holds a request and its answer; request, answer and the logs of OpenAI, LiteLLM and OpenTelemetry are known',
  ),
  request_missing: text<{ why: string }>('the answer has no request; name it with --request, or by the same custom_id'),
  answer_missing: text<{ why: string }>('the log does not hold the answer; let it keep the content of messages'),
  answer_unreadable: text<{ why: string }>(
    'the answer is not a completion, a list of chunks, or an object with status and body',
  ),
  expect_unusable: text<{ why: string }>('{why}'),
};

/** Texts of `judge` on standard error. */
const judgeTexts = {
  unread: text<{ problems: number; of: number }>(
    '{problems, number} of {of, plural, one {# record} other {# records}} could not be judged',
  ),
  nothing: text<{ source: string }>('{source} holds no answer to judge'),
  form: text('each line is a request and its answer: docs/judge-command.md shows the forms'),
  requestFile: text<{ file: string }>('{file} holds no request'),
  requestForm: text('it holds the body as it was sent, or the requests of a batch, one a line'),
  unreadable: text<{ source: string; why: string }>('{source} cannot be read: {why}'),
};

/** Texts about a program that the user starts. */
const programTexts = {
  env: text<{ text: string }>('--env takes NAME=VALUE, not "{text}"'),
  library: text<{ text: string }>('--library takes NAME=VERSION, not "{text}"'),
  noRequest: text<{ names: string; address: string }>(
    'Set for it: {names}. A library that reads none of them needs the address of CHATSPEC_BASE_URL in your code, or in ' +
      'a variable of its own: --env {address}',
  ),
};

export const commandTexts = {
  ends,
  program: programTexts,
  recordProblems: recordProblemTexts,
  judge: judgeTexts,
  counts: nounCounts,
  listing,
  acceptance,
  keptBecause: keptReasonTexts,
  evidence: evidenceTexts,
  unknownIds,
  trials,
  checks: checkTexts,
};
