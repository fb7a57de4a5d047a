import type { Recommendation } from '../../../matrix/report-format.js';
import { type Plain, text } from '../message.js';

/** Facts of a run. */
const facts = {
  profile: text('Profile'),
  started: text('Started'),
  took: text('Took'),
  requests: text('Requests'),
  tokens: text('Tokens'),
  cost: text('Cost'),
  seed: text('Seed'),
  tool: text('Version'),
  digests: text('Config, suites, schemas (SHA-256)'),
  filters: text('Options'),
  seconds: text<{ seconds: number }>('{seconds, number} s'),
  tokensOf: text<{ tokens: number; reasoning: number }>(
    '{tokens, number}{reasoning, plural, =0 {} other { ({reasoning, number} for reasoning)}}',
  ),
};

/** Notes on the run. */
const notes = {
  unreached: text<{ models: string; why: string }>('{models} could not be reached: {why}'),
  shard: text<{ index: number; of: number }>(
    'shard {index} of {of}: join all shards with chatspec merge to judge the whole run',
  ),
  unmeasured: text<{ share: number; most: number }>(
    '{share} % was not measured; the limit is {most} % (max_unmeasured).',
  ),
  unasked: text<{ share: number; most: number }>(
    '{share} % of the plan was not asked; the limit is {most} % (max_unmeasured).',
  ),
  fault: text<{ cells: number; cell: string; fault: string }>(
    'Not measured: {cells, plural, one {{cell}} other {# checks, such as {cell}}}: {fault}',
  ),
  silent: text<{ part: string; models: string; number: number; cells: number }>(
    '{part}: {number, plural, one {{models} does not answer such requests} other {# models do not answer such requests ({models})}}; ' +
      '{cells, plural, one {# check} other {# checks}} could not be measured.',
  ),
  notAsked: text<{ models: string; number: number; settings: string }>(
    'Not asked of {models}, because the config does not define the settings: {settings}. ' +
      'To ask it, add these lines under {number, plural, one {the model} other {each model}}, or under its target. ' +
      'Use the labels and values that the vendor documents:',
  ),
  answered_by: text<{ model: string; by: string; some: number; answers: number }>(
    '{model}: {some, number} of {answers, number} answers came from {by}.',
  ),
  behaviour: text<{ id: string; place: string; model: string; error: string }>(
    'behaviour {id} ({place}) on {model}: {error}',
  ),
};

/** Why nothing more was asked. */
const stops = {
  budget: text<{ limit: number; unit: string }>(
    'The budget of {limit, number} {unit, select, cost {in cost} requests {{limit, plural, one {request} other {requests}}} other {{limit, plural, one {token} other {tokens}}}} is used up.',
  ),
  budgetTooSmall: text<{ limit: number; unit: string; next: number }>(
    'The budget of {limit, number} {unit, select, cost {in cost} requests {{limit, plural, one {request} other {requests}}} other {{limit, plural, one {token} other {tokens}}}} leaves no room for the next request, which may take {next, number}.',
  ),
  interrupted: text('The run was interrupted.'),
  quota: text<{ who: string }>('{who}: the quota is used up.'),
  long_pause: text<{ who: string; seconds: number }>('{who}: the service asks for a pause of {seconds} s.'),
  unanswered: text<{ who: string; why: string }>(
    '{who}: no request was answered, not even a plain one{why, select, none {} other { ({why})}}.',
  ),
  stopped_answering: text<{ who: string; time: string; answered: number; why: string }>(
    '{who} stopped answering at {time} UTC, after {answered, plural, one {# answer} other {# answers}}' +
      '{why, select, none {} other { ({why})}}.',
  ),
  key_refused: text<{ who: string; time: string; answered: number }>(
    'The service has refused the key since {time} UTC, after {answered, plural, one {# answer} other {# answers}} ' +
      '({who} met it first). Set a new key, then go on with chatspec run --resume.',
  ),
  cut_off: text('The run was cut off.'),
  missing_shard: text<{ shard: number; of: number }>('Shard {shard} of {of} is missing.'),
  not_recorded: text('This was not part of the recorded run.'),
};

/** Next steps, in messages of the command line. */
const hints = {
  damagedJournal: text('take the run folder from a copy, or run again; chatspec report and diff need only report.json'),
  unreadableJournal: text('check the path, and that you may read it (chmod u+r)'),
  brokenLink: text('name another run folder; the next run moves reports/latest to its own'),
  runFolder: text('name a run folder; by default, runs are written to reports/runs, next to chatspec.yaml'),
  gone: text<{ models: string; number: number; config: string }>(
    '{models} {number, plural, one {is} other {are}} gone, which a baseline cannot accept: ' +
      'remove {number, plural, one {it} other {them}} from {config}, or set retired: YYYY-MM-DD.',
  ),
};

/** The issue that tracks deviations. */
const issueTexts = {
  title: text<{ headline: string }>('Conformance: {headline}'),
  fresh: text('New since the run before:'),
  ended: text('Gone since the run before:'),
  more: text<{ more: number }>('And {more, number} more.'),
};

/** Texts of build servers for things that are no cell. */
const caseTexts = {
  unmeasured: text<{ share: number }>('{share} % of the plan was not measured.'),
  shard: text('A shard leaves changes to `chatspec merge`.'),
};

type PassedOfTotal = Readonly<Record<'passed' | 'total', number>>;

/** Needs of a client. */
const needTexts: Readonly<Record<Recommendation['need'], Plain>> = {
  plain_text: text('Plain text'),
  structured: text('Fixed fields (a schema)'),
  free_json: text('Any JSON object'),
  tool_call: text('Tool call'),
};

/** Uses of a model. */
const cards = {
  form: text<{ need: string; form: string }>('{need}: {form}.'),
  formWith: text<{ need: string; form: string; members: string }>('{need}: {form}. Send {members}.'),
  alternatives: text<{ models: string }>('Also served by {models}.'),
  caveat: text<{ what: string; condition: string }>('{what}: `{condition}`'),
  partial: text<{ what: string; passed: number; of: number }>('{what}: {passed} of {of} checks pass'),
  flaky: text<{ what: string; passed: number; total: number }>('{what}: {passed} of {total} answers pass'),
};

/** Caveats for a client beside the settings of a request. */
const caveats = {
  shared: text<{ failed: number; total: number; fault: string }>(
    '{failed, number} of {total, number} answers of any kind fail: {fault}',
  ),
  perhapsShared: text<{ failed: number; total: number; fault: string }>(
    '{failed, number} of {total, number} answers failed ({fault}); this may be temporary',
  ),
  flaky: text<PassedOfTotal>(
    'flaky, {passed, number} of {total, number} trials passed: validate, and retry up to 3 times',
  ),
  answered_by: text<{ by: string; some: number; answers: number }>(
    '{some, number} of {answers, number} answers came from {by}',
  ),
  values: text<{ wrong: number; total: number }>(
    'values are wrong in {wrong, number} of {total, plural, one {# answer} other {# answers}} of the right form: ' +
      'check them before you act',
  ),
  few_trials: text<{ total: number }>(
    'Based on {total, plural, =0 {no trial} one {a single trial} other {# trials}} only',
  ),
  most_tokens: text<{ cap: number }>('tested with max_tokens up to {cap} only: send no more'),
  notAsked: text<{ member: string }>('tested without {member} only: leave it out'),
  doesNotWork: text<{ member: string }>('{member} does not work: leave it out'),
  one_tool: text('tested with a single tool only: send only the one you mean, and check its name'),
  not_strict: text('tested without strict only: validate every answer'),
  schema_ignored: text('The schema is ignored: validate every answer'),
  schema_in_part: text('The schema is enforced only in part: validate every answer'),
  ignored: text<{ keywords: string }>('keywords ignored: {keywords}: validate'),
  refused: text<{ keywords: string }>('keywords refused: {keywords}: leave them out of the schema'),
  broken: text<{ keywords: string }>('valid documents do not come back with {keywords}: try your schema first'),
  declared: text<{ text: string } & PassedOfTotal>('{text} ({passed, number} of {total, number} passed)'),
  breaks: text<{ quirk: string; what: string }>('{quirk}: {what}'),
};

/** Why a form is recommended. */
const becauses = {
  count: text<{ form: string } & PassedOfTotal>(
    '{form} held in {passed, number} of {total, plural, one {# trial} other {# trials}}',
  ),
  best: text<{ best: string; counts: string; care: string }>(
    '{best}{counts, select, none {} other { ({counts})}}{care, select, none {} other {; {care}}}.',
  ),
  apart: text('No task was asked in each of these forms, so nothing says which does the same better.'),
  none: text<{ counts: string }>('None of the forms that were asked for this need can be relied on: {counts}.'),
};

/** Facts of a model. */
const modelFacts = {
  unreached: text('Not measured'),
  commonName: text('Common name'),
  served: text('Served as'),
  fingerprint: text('Fingerprint'),
  baseline: text('Baseline'),
  notAsked: text('Not asked'),
};

export const runTexts = {
  facts,
  notes,
  stops,
  hints,
  issueTexts,
  caseTexts,
  needs: needTexts,
  cards,
  caveats,
  becauses,
  modelFacts,
};
