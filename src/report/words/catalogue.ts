import type { Verdict } from '../../cell/verdict.js';
import type { OutcomeClass } from '../../judge/outcome-classes.js';
import type { Reason } from '../../judge/reasons.js';
import type { CapabilityVerdict, Recommendation } from '../../matrix/report-format.js';
import type { Arguments, Message, NoArguments, Plain } from './message.js';

/*
 * Every sentence that reports say, in ICU MessageFormat. Each is short, and no code reads it back. What stands between
 * backticks is code. A table has an entry for each kind, so that a kind without a sentence does not compile.
 */

type Counts = Readonly<Record<'passed' | 'total', number>>;

const text = <A extends Arguments = NoArguments>(icu: string): Message<A> => ({ icu });

/** What the page, the terminal and the summary begin with. */
export const headlines = {
  nothing: text('Nothing was measured'),
  interrupted: text('The run was interrupted'),
  stopped: text('The run stopped early'),
  worse: text<{ models: number }>('{models, plural, one {# model} other {# models}} got worse'),
  worseAndGone: text<{ models: number; gone: number }>(
    '{models, plural, one {# model} other {# models}} got worse, {gone} {gone, plural, one {is} other {are}} gone',
  ),
  gone: text<{ models: number }>('{models, plural, one {# model is} other {# models are}} gone'),
  changed: text<{ models: number }>('{models, plural, one {# model} other {# models}} changed'),
  new: text<{ models: number }>('{models, plural, one {# model fails} other {# models fail}} at something new'),
  better: text<{ models: number }>('Good news: {models, plural, one {# model} other {# models}} got better'),
  unmeasured: text<{ models: number }>(
    '{models, plural, =0 {Too much} one {# model} other {# models}} could not be measured',
  ),
  first: text<{ models: number }>('First run of {models, plural, one {# model} other {# models}}'),
  quiet: text<{ models: number }>('{models, plural, one {The model does} other {All # models do}} what was accepted'),
};

/** The line below the headline: those that hold, one behind the other. */
export const contexts = {
  better: text<{ models: number }>('{models, plural, one {One model} other {# models}} got better.'),
  rest: text<{ day: string }>('All else is as accepted{day, select, none {} other { on {day}}}.'),
  uncovered: text('No baseline yet: accept this run, and the next one shows what changed.'),
  part: text<{ asked: number; of: number }>(
    'Only {asked, number} of {of, plural, one {# cell} other {# cells}} {asked, plural, one {was} other {were}} asked again.',
  ),
  recovered: text<{ cells: number; of: number }>('{cells, number} of {of, number} recovered.'),
  unmeasured: text<{ cells: number }>('{cells, plural, one {# cell} other {# cells}} could not be measured.'),
  doubt: text<{ cells: number }>('{cells, plural, one {# cell is} other {# cells are}} in doubt.'),
  size: text<{ models: number; time: string }>('{models, plural, one {# model} other {# models}}, {time} UTC.'),
};

export const changeKinds = ['gone', 'lost', 'changed', 'new', 'wire', 'gained', 'doubt'] as const;
export type ChangeKind = (typeof changeKinds)[number];

export const changeTitles: Readonly<Record<ChangeKind, Plain>> = {
  gone: text('gone'),
  lost: text('worse'),
  changed: text('changed'),
  new: text('new'),
  wire: text('wire format'),
  gained: text('better'),
  doubt: text('in doubt'),
};

/** What changed. `what` names capabilities, `fault` is one of {@link faults} or {@link refusals}. */
export const changes = {
  behaviour: text<{ title: string }>('{title}.'),
  lost: text<{ what: string; fault: string; passed: number; total: number }>(
    '{what}: {fault} ({passed, number} of {total, number} passed).',
  ),
  together: text<{ fault: string; failed: number; total: number; before: string }>(
    '{failed, number} of {total, number} answers, whatever they are of: {fault}; before, {before}.',
  ),
  doubt: text<{ what: string; fault: string; doubt: string; known: string }>(
    '{what}: {doubt} passed, {known} known{fault, select, none {} other {: {fault}}}.',
  ),
  threshold: text<{ what: string; value: string; before: string }>(
    '{what}: {value, select, none {passes at no value} other {passes from {value}}}; {before} was enough.',
  ),
  changed: text<{ what: string; fault: string; before: string }>('{what}: {fault}; before, {before}.'),
  gained: text<{ what: string; passed: number; total: number }>(
    '{what}: works now ({passed, number} of {total, number} passed).',
  ),
  thresholdFell: text<{ what: string; value: string; before: string }>(
    '{what}: passes from {value}; before, from {before}.',
  ),
  rate: text<{ what: string; passed: number; total: number; before: string }>(
    '{what}: {passed, number} of {total, number} passed, {before} before.',
  ),
  gone: text<{ status: string }>(
    'The service no longer knows this model{status, select, none {} other { ({status})}}.',
  ),
  wireNew: text<{ quirk: string }>('New form of answers: {quirk}'),
  wireGone: text<{ quirk: string }>('No longer so: {quirk}'),
};

/** What to do about a change, where neither the behaviour nor the failure says it. */
export const todos = {
  gone: text('Remove it from the config, or set `retired`.'),
  gained: text('Accept it to keep it.'),
  wire: text('Check that your client reads it.'),
  wireBreaks: text<{ clients: string }>('Mind your clients: {clients}.'),
  doubt: text('Nothing yet: the next run decides.'),
};

export const sinceTexts = {
  now: text('new'),
  runs: text<{ runs: number }>('{runs, plural, one {# run} other {# runs}}'),
  atLeast: text<{ runs: number }>('{runs} runs or more'),
};

/** "Tool calls, streaming and 2 more" */
export const lists = {
  more: text<{ names: string; more: number }>('{names} and {more} more'),
};

type OfStatus = Message<{ status: string }>;
const ofStatus = (icu: string): OfStatus => text<{ status: string }>(icu);

/** What is wrong with answers, by outcome class; {@link refusals} say more of `http_error`. */
export const faults: Readonly<Record<OutcomeClass, OfStatus>> = {
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
};

/** What the service refuses, by reason. */
export const refusals: Readonly<Record<Reason, OfStatus>> = {
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
export const remedies: Readonly<Record<OutcomeClass, Plain>> = {
  transport: text('Retry a few times, then check the network and the service.'),
  http_error: text('Read the evidence: the refusal says what it does not take.'),
  malformed_response: text('Treat it as a failed call, and keep the body for support.'),
  truncated: text('Raise `max_tokens`, with room for reasoning.'),
  filtered: text('Rephrase the input, or ask the service about its filter.'),
  unexpected_finish_reason: text('Check what the value means before you use the content.'),
  refused: text('Show or log the refusal; do not parse the content.'),
  empty_content: text('Treat it as a failure; use tool calls where they work.'),
  missing_tool_call: text('Check `tool_calls` before you act; use another `tool_choice` or model.'),
  unexpected_tool_call: text('Never run a call that you did not ask for.'),
  wrong_function: text('Check the name of the function before you run it.'),
  not_json: text('Validate and retry a few times, or use another form.'),
  schema_violation: text('Validate and retry a few times, or use another form.'),
  rule_violation: text('Check amounts and dates before you act.'),
  not_enforced: text('Check this keyword in your own code.'),
  ineffective: text('Do not rely on the setting.'),
};

/** The same for refusals that leave another way. */
export const ways: Readonly<Partial<Record<Reason, Plain>>> = {
  gateway: text('Ask those who run the gateway; stream long answers.'),
  context_length: text('Shorten the input, or use a model with a larger window.'),
  tool_choice_unsupported: text('Send `"required"` with that tool alone.'),
  tool_choice_thinking: text('Send `"required"`, or switch thinking off.'),
  response_format_unsupported: text('Use another form, such as tool calls.'),
  json_word_required: text('Add a system message that says: return only JSON.'),
  schema_rejected: text('Keep to simple keywords, and check the rest yourself.'),
  parameter_rejected: text('Leave the parameter out for this model.'),
  model_output_rejected: text('Retry with a lower temperature.'),
  server_error: text('Send it another way: only this request fails.'),
};

/** What readers must know of the run. */
export const notes = {
  unreached: text<{ models: string; why: string }>('{models}: not reached. {why}'),
  shard: text<{ index: number; of: number }>(
    'shard {index} of {of}: join all shards with chatspec merge to judge the whole run',
  ),
  unmeasured: text<{ share: number; most: number }>(
    '{share} % of the cells were not measured, more than max_unmeasured ({most} %) allows',
  ),
  unasked: text<{ share: number; most: number }>(
    '{share} % of the planned trials were not asked, more than max_unmeasured ({most} %) allows',
  ),
  fault: text<{ cells: number; cell: string; fault: string }>(
    'Not measured: {cells, plural, one {{cell}} other {# cells, such as {cell}}}: {fault}',
  ),
  silent: text<{ part: string; models: string; number: number; cells: number }>(
    '{part}: {number, plural, one {{models} answers no such request} other {# models answer no such request ({models})}}; ' +
      '{cells, plural, one {# cell} other {# cells}} could not be measured.',
  ),
  behaviour: text<{ id: string; place: string; model: string; error: string }>(
    'behaviour {id} ({place}) on {model}: {error}',
  ),
};

/** What a client must know beside the settings of a request. */
export const caveats = {
  shared: text<{ failed: number; total: number; fault: string }>(
    '{failed, number} of {total, number} answers fail, whatever they are of: {fault}',
  ),
  perhapsShared: text<{ failed: number; total: number; fault: string }>(
    '{failed, number} of {total, number} answers failed, perhaps in a bad hour: {fault}',
  ),
  flaky: text<Counts>('flaky, {passed, number} of {total, number} trials passed: validate, and retry up to 3 times'),
  few_trials: text<{ total: number }>(
    'known from {total, plural, =0 {no trial} one {a single trial} other {# trials}} only',
  ),
  most_tokens: text<{ cap: number }>('known with max_tokens up to {cap} only: send no more than is set'),
  notAsked: text<{ member: string }>('known without {member} only: leave it out'),
  doesNotWork: text<{ member: string }>('{member} does not work: leave it out'),
  one_tool: text('known with a single tool only: send only the one that is meant, and check its name'),
  not_strict: text('known without strict only: validate'),
  schema_ignored: text('schema ignored: validate'),
  schema_in_part: text('schema enforced only in part: validate'),
  ignored: text<{ keywords: string }>('keywords ignored: {keywords}: validate'),
  refused: text<{ keywords: string }>('keywords refused: {keywords}: leave them out of the schema'),
  broken: text<{ keywords: string }>('valid documents do not come back with {keywords}: try your schema first'),
  declared: text<{ text: string } & Counts>('{text} ({passed, number} of {total, number} trials passed)'),
  breaks: text<{ quirk: string; what: string }>('{quirk}: {what}'),
};

/** Why a form is recommended. */
export const becauses = {
  count: text<{ form: string } & Counts>(
    '{form} passed {passed, number} of {total, plural, one {# trial} other {# trials}}',
  ),
  best: text<{ best: string; counts: string; care: string }>(
    '{best}{counts, select, none {} other { ({counts})}}{care, select, none {} other {; {care}}}.',
  ),
  none: text<{ counts: string }>('None of the forms that were asked for this need can be relied on: {counts}.'),
};

/** Headings of a diff. */
export const diffTitles = {
  gone: text('Gone'),
  lost: text('Lost'),
  whole: text('More answers fail'),
  clients: text('Clients that fail'),
  gained: text('Gained'),
  conditions: text('Conditions and thresholds'),
  needs: text('What to send'),
  behaviours: text('Known behaviours that come with it'),
  served: text('Served by another model or version'),
  wire: text('Wire format'),
  unmeasured: text('Could not be measured'),
  rates: text('Rates (could be chance)'),
};

/** What became of a model that cannot be compared. */
export const lostModels: Readonly<
  Record<'gone' | 'announced' | 'unreachable' | 'unmeasured', Message<{ passed: number; judged: number }>>
> = {
  gone: text('The service no longer knows it; {passed, number} of {judged, number} cells passed.'),
  announced: text('Gone, as was announced; {passed, number} of {judged, number} cells passed.'),
  unreachable: text('Even a plain request failed; {passed, number} of {judged, number} cells passed.'),
  unmeasured: text('No answer could be judged; {passed, number} of {judged, number} cells passed.'),
};

/** What a diff says of two sides. */
export const diffs = {
  head: text<{ base: string; head: string }>('From {base} to {head}'),
  summary: text<{ lost: number; gained: number; compared: number }>(
    '{lost, plural, one {# cell} other {# cells}} lost, {gained, number} gained, of {compared, number} compared.',
  ),
  nothing: text('Nothing was compared: no cell was judged on both sides.'),
  models: text<{ models: number; names: string }>(
    '{models, plural, one {# model} other {# models}} could not be compared: {names}.',
  ),
  missed: text<{ cells: number; base: string; head: string }>(
    '{cells, plural, one {# cell} other {# cells}} that passed in {base} could not be measured in {head}.',
  ),
  apart: text<{ cells: number }>('{cells, plural, one {# cell was} other {# cells were}} judged on one side only.'),
  cut: text<{ side: string; why: string }>('{side} did not ask everything: {why}'),
  suites: text('The suites differ, so a cell may have changed because its probe did.'),
  chance: text<{ certified: string }>(
    'What may be chance: {certified, select, yes {more trials can tell, such as --trials 60} ' +
      'other {--profile certify asks until it is known}}.',
  ),
  lost: text<{ fault: string; before: string; now: string }>('{fault} ({before} passed before, {now} now).'),
  gained: text<{ before: string; now: string }>('Works now ({before} passed before, {now} now).'),
  rate: text<{ base: string; head: string }>('{base} passed before, {head} now'),
  change: text<{ before: string; now: string }>('{before} → {now}'),
  fromTo: text<{ name: string; before: string; now: string }>('{name}: {before} → {now}'),
  threshold: text<{ before: string; now: string }>('passes from {before} → {now}'),
  quirkNew: text<{ seen: number; of: number }>('the rule now: in {seen, number} of {of, number} answers'),
  quirkGone: text<{ seen: number; of: number }>('no longer so; before, in {seen, number} of {of, number} answers'),
  noForm: text('no form can be relied on'),
  more: text<{ more: number }>('{more, number} more'),
};

/** What to type next; each stands before a command. */
export const steps = {
  evidence: text('See the evidence:'),
  accept: text('If this is right, accept it:'),
  acceptFirst: text('Once it looks right, make it the baseline:'),
  acceptGains: text('Accept to keep it:'),
  resume: text('Continue the run:'),
  merge: text('Merge again with all shards:'),
  rerun: text('Fix this, then ask again what was not measured:'),
  smoke: text('A smoke run asks each cell once. Run the standard profile to accept it.'),
};

/** States of a field of the overview: what a model can be used for. */
export const states = {
  reliable: text('reliable'),
  conditions: text('with conditions'),
  unusable: text('do not use'),
  unknown: text('unknown'),
};
export type State = keyof typeof states;

/** What a cell shows, in one sentence. */
export const cells = {
  pass: text<{ passed: number; total: number }>('Passes: {passed, number} of {total, number}.'),
  flaky: text<{ passed: number; total: number; fault: string }>(
    'Passes sometimes, {passed, number} of {total, number}: {fault}.',
  ),
  fail: text<{ passed: number; total: number; fault: string }>('Fails, {passed, number} of {total, number}: {fault}.'),
  inconclusive: text<{ faults: number; fault: string }>(
    'Not measured: {fault} ({faults, plural, one {# fault} other {# faults}}).',
  ),
  blocked: text('Not asked: something that it needs does not pass.'),
  not_run: text('Not asked in this run.'),
  expected: text<{ fault: string; passed: string }>(
    'The baseline expects: {fault}{passed, select, none {} other {, {passed} passed}}.',
  ),
  evidence: text<{ evidence: string; bound: string }>(
    'Evidence of a change: 10^{evidence}; an alarm needs 10^{bound}.',
  ),
  served: text<{ field: string; value: string; passed: number; total: number }>(
    'With {field} {value}, {passed, number} of {total, number} passed.',
  ),
  recovery: text<{ recovered: number; of: number }>('A retry by the client recovers {recovered} of {of}.'),
  needs: text<{ needs: string; explain: string }>(
    'It needs {needs}, which passes only sometimes{explain, select, yes {: perhaps the same failure} other {}}.',
  ),
  lacks: text<{ needed: number }>('{needed, plural, one {One more trial} other {# more trials}} would decide it.'),
};

/** The issue that tracks deviations. */
export const issueTexts = {
  title: text<{ headline: string }>('Conformance: {headline}'),
  fresh: text('New since the run before:'),
  ended: text('Gone since the run before:'),
  more: text<{ more: number }>('And {more, number} more.'),
};

/** What build servers say of what is no cell. */
export const caseTexts = {
  unmeasured: text<{ share: number }>('{share} % of the plan was not measured.'),
  shard: text('A shard leaves changes to `chatspec merge`.'),
};

/** What a client may need. */
export const needs: Readonly<Record<Recommendation['need'], Plain>> = {
  plain_text: text('Plain text'),
  structured: text('Fixed fields (a schema)'),
  free_json: text('Any JSON object'),
  tool_call: text('Tool call'),
};

/** What a model is good for. */
export const cards = {
  form: text<{ need: string; form: string }>('{need}: `{form}`'),
  formWith: text<{ need: string; form: string; members: string }>('{need}: `{form}` with `{members}`'),
  caveat: text<{ what: string; condition: string }>('{what}: `{condition}`'),
  partial: text<{ what: string; passed: number; of: number }>('{what}: {passed} of {of} cells pass'),
  flaky: text<{ what: string; passed: number; total: number }>('{what}: {passed} of {total} answers pass'),
};

/** Facts of a run. */
export const facts = {
  profile: text('Profile'),
  started: text('Started'),
  took: text('Took'),
  requests: text('Requests'),
  tokens: text('Tokens'),
  cost: text('Cost'),
  seed: text('Seed'),
  tool: text('Version'),
  config: text('Digest of the config'),
  suites: text('Digest of the suites'),
  schemas: text('Digest of the schemas'),
  keywords: text('Schema keywords not asked'),
  keywordsOf: text<{ keywords: string; tag: string }>(
    '{keywords}{tag, select, none {} other {; `--tags {tag}` asks them}}',
  ),
  filters: text('Options'),
  seconds: text<{ seconds: number }>('{seconds, number} s'),
  tokensOf: text<{ tokens: number; reasoning: number }>(
    '{tokens, number}{reasoning, plural, =0 {} other { ({reasoning, number} for reasoning)}}',
  ),
};

/** Why nothing more was asked. */
export const stops = {
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
    '{who}: no request was answered, a plain one included{why, select, none {} other { ({why})}}.',
  ),
  cut_off: text('The run was cut off.'),
  missing_shard: text<{ shard: number; of: number }>('Shard {shard} of {of} is missing.'),
  not_recorded: text('This was not part of the recorded run.'),
};

/** What the script of the page says. */
export const browserTexts = {
  copy: text('Copy'),
  copied: text('Copied'),
  close: text('Close'),
  noCell: text('No such cell'),
  otherRun: text('The link belongs to another run, or the probe has another name now.'),
  passes: text('The capability passes:'),
  noAnswer: text('no answer'),
  exchange: text('Exchange'),
  cameBack: text('What came back'),
  request: text('Request'),
  response: text('Response'),
  same: text('They do not differ.'),
  capability: text('Capability'),
  hit: text('hit'),
  hits: text('hits'),
};

/** Headings and labels of the page, also in its templates. */
export const page = {
  overview: text('Overview'),
  changes: text('Changes'),
  matrix: text('Matrix'),
  models: text('Models'),
  compare: text('Compare'),
  history: text('History'),
  run: text('Run'),
  skip: text('Skip to the overview'),
  views: text('Views'),
  search: text('Search  /'),
  searchReport: text('Search the report'),
  searchResults: text('Search results'),
  whatChanged: text('What changed'),
  nothingChanged: text('Nothing changed.'),
  inDoubt: text('In doubt'),
  evidence: text('Evidence'),
  requestAndAnswer: text('Request and answer'),
  request: text('Request'),
  answer: text('Answer'),
  whatYouCanUse: text('What you can use'),
  seconds: text('Seconds'),
  model: text('Model'),
  capability: text('Capability'),
  changedOnly: text('changed models only'),
  passingCells: text('Passing cells'),
  medianAnswer: text('Median answer'),
  slowAnswer: text('95 of 100 within'),
  tokens: text('Tokens'),
  cost: text('Cost'),
  profile: text('Profile'),
  requests: text('Requests'),
  lastRuns: text('Last runs'),
  useFor: text('Use it for'),
  mind: text('Mind'),
  notFor: text('Not for'),
  behaviours: text('Behaviours'),
  wireFormat: text('Wire format'),
  firstModel: text('First model'),
  secondModel: text('Second model'),
  with: text('with'),
  noHistory: text('No earlier run stands beside this one.'),
};

/** Labels that count or name something. */
export const labels = {
  cells: text<{ cells: number }>('{cells, plural, one {# cell} other {# cells}}'),
  more: text<{ more: number }>('{more, number} more'),
  passed: text<{ passed: number; of: number }>('{passed, number} of {of, number}'),
  quirk: text<{ quirk: string; seen: number; of: number }>('`{quirk}` in {seen, number} of {of, number} answers'),
  breaks: text<{ clients: string }>('⚠ breaks {clients}'),
  breaksClient: text('breaks a client'),
  reads: text<{ clients: string }>('read by: {clients}'),
  lastRuns: text<{ runs: number }>('{runs, plural, one {Last run} other {Last # runs}}'),
  moreChanges: text<{ more: number }>('{more, plural, one {# more change} other {# more changes}}'),
  moreModels: text<{ more: number }>('{more, plural, one {# more model} other {# more models}} in the report'),
  report: text<{ path: string }>('Report: {path}'),
};

/** Verdicts of cells and capabilities. */
export const verdictTexts: Readonly<Record<Verdict | CapabilityVerdict, Plain>> = {
  pass: text('pass'),
  partial: text('on a condition'),
  flaky: text('flaky'),
  fail: text('fail'),
  inconclusive: text('could not be measured'),
  blocked: text('blocked'),
  not_run: text('not run'),
};

/** How one run did in a strip. */
export const stripTexts = {
  good: text('as expected'),
  bad: text('not passing'),
  mixed: text('in part'),
  none: text('not asked'),
  gone: text('gone'),
};

/** Facts of a model. */
export const modelFacts = {
  unreached: text('Not reached'),
  commonName: text('Common name'),
  served: text('Served as'),
  fingerprint: text('Fingerprint'),
  baseline: text('Baseline'),
  notAsked: text('Not asked'),
};

/** What to do next, in messages of the command line. */
export const hints = {
  runFolder: text('name a run folder; by default, runs are written to reports/runs, next to chatspec.yaml'),
  gone: text<{ models: string; number: number; config: string }>(
    '{models} {number, plural, one {is} other {are}} gone, which a baseline cannot accept: ' +
      'remove {number, plural, one {it} other {them}} from {config}, or set retired: YYYY-MM-DD.',
  ),
  keywords: text<{ keywords: string; number: number; tag: string }>(
    'The schema {number, plural, one {keyword} other {keywords}} {keywords} {number, plural, one {is} other {are}} ' +
      'not asked here; {tag, select, none {a run of all probes asks} other {--tags {tag} asks}} ' +
      '{number, plural, one {it} other {them}}.',
  ),
};

/** What to check where no answer arrives, or one of something else. */
export const connections = {
  unknownAuthority: text<{ host: string }>(
    'The certificate for {host} comes from an authority that Node.js does not know, such as that of a proxy. ' +
      'Save its certificate as a PEM file, and set NODE_EXTRA_CA_CERTS=FILE in the environment, not in .env.',
  ),
  outOfDate: text<{ host: string }>(
    'The certificate for {host} is out of date by the clock of this machine. ' +
      'Check the clock, then ask whoever runs the service to renew it.',
  ),
  otherName: text<{ hostname: string }>(
    'The certificate was made for another name than {hostname}: write base_url with the name that it was made for.',
  ),
  noTls: text<{ host: string }>(
    'What answers there does not speak TLS: write base_url with http:// if {host} is right, ' +
      'and HTTPS_PROXY with http:// if there is a proxy.',
  ),
  tls: text<{ host: string }>('The port speaks TLS: write base_url with https://{host}.'),
  perhapsTls: text<{ host: string }>('If the port speaks TLS, write base_url with https://{host}.'),
  proxy: text('That is the proxy: check HTTPS_PROXY, or reach the service directly with NO_PROXY.'),
  proxyLogin: text(
    'The proxy asks who you are: write HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT, with both URL-encoded.',
  ),
  proxyFails: text<{ hostname: string }>(
    'The proxy (HTTPS_PROXY) could not reach {hostname}: check base_url, ' +
      'or name {hostname} in NO_PROXY if it can be reached directly.',
  ),
  proxyRefuses: text<{ hostname: string }>(
    'Ask whoever runs the proxy (HTTPS_PROXY) to let {hostname} through, ' +
      'or name {hostname} in NO_PROXY if it can be reached directly.',
  ),
  unknownHost: text<{ hostname: string }>(
    'Check the host name in base_url, and whether {hostname} is reached only through a proxy (HTTPS_PROXY) or a VPN.',
  ),
  refused: text<{ host: string }>(
    'Nothing takes connections at {host}: check host and port of base_url, and whether the service runs.',
  ),
  other: text('Check base_url, the network and the proxy (HTTPS_PROXY, NO_PROXY).'),
  noPath: text<{ url: string; origin: string }>(
    'base_url has no path, and {url} is answered with 404: ' +
      'write base_url: {origin}/v1, or the path that the service documents.',
  ),
  wrongPath: text<{ url: string }>(
    'Check base_url: {url} is answered with 404. ' +
      'It is what stands before /chat/completions; the documentation of the service names it.',
  ),
  unknownModel: text('Check the id; chatspec doctor names ids of the service that are near.'),
  unreadable: text(
    'The service was reached, but no client can read such an answer: ' +
      'ask whoever runs it, or a gateway in front of it.',
  ),
  replaced: text(
    'This is no answer of a Chat Completions service, although the model has answered before. ' +
      'Check whether a proxy or a login page answers in its place, and whether base_url was changed.',
  ),
  otherService: text(
    'This is no answer of a Chat Completions service: check base_url, which often ends in /v1. ' +
      'A proxy or a login page may answer in its place.',
  ),
  gateway: text('Check base_url, the proxy and the gateway in front of the service.'),
};
