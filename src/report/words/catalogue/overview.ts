import { text } from '../message.js';

/** Headlines of page, terminal and summary. */
const headlines = {
  nothing: text('Nothing was measured'),
  interrupted: text('The run was interrupted'),
  stopped: text('The run stopped early'),
  worse: text<{ models: number }>('{models, plural, one {# model} other {# models}} got worse'),
  worseAndGone: text<{ models: number; gone: number }>(
    '{models, plural, one {# model} other {# models}} got worse, {gone} {gone, plural, one {is} other {are}} gone',
  ),
  gone: text<{ models: number }>('{models, plural, one {# model is} other {# models are}} gone'),
  changed: text<{ models: number }>('{models, plural, one {# model} other {# models}} changed'),
  new: text<{ models: number }>('{models, plural, one {# model fails} other {# models fail}} new checks'),
  better: text<{ models: number }>('Good news: {models, plural, one {# model} other {# models}} got better'),
  unmeasured: text<{ models: number }>(
    '{models, plural, =0 {Too much} one {# model} other {# models}} could not be measured',
  ),
  first: text<{ models: number }>(
    'First run: {models, plural, one {# model} other {# models}}, nothing to compare with yet',
  ),
  unreliable: text<{ cells: number; passed: number; total: number }>(
    'No changes, but {cells, plural, one {# check that was} other {# checks that were}} accepted as passing {cells, plural, one {passes} other {pass}} only {passed, number} of {total, number} times',
  ),
  failing: text<{ cells: number }>(
    'Nothing is proved. {cells, plural, one {# check that was} other {# checks that were}} accepted as passing {cells, plural, one {fails} other {fail}}',
  ),
  doubt: text<{ models: number }>('Nothing proved: {models, plural, one {# model} other {# models}} may be worse'),
  quiet: text<{ models: number }>(
    'No changes: {models, plural, one {the model behaves} other {all # models behave}} as before',
  ),
};

/** The line below the headline: those that hold, one behind the other. */
const contexts = {
  better: text<{ models: number }>('{models, plural, one {One model} other {# models}} got better.'),
  rest: text('Everything else that was measured is unchanged.'),
  uncovered: text('There is no baseline yet. Accept this run, and the next one will show what changed.'),
  noBaseline: text('There is no baseline yet.'),
  part: text<{ asked: number; of: number; passed: number }>(
    'Partial run: {asked, number} of {of, plural, one {# check} other {# checks}} {asked, plural, one {was} other {were}} repeated, and {passed, plural, =0 {none passes} one {# passes} other {# pass}} again.',
  ),
  unmeasured: text<{ cells: number }>('{cells, plural, one {# check} other {# checks}} could not be measured.'),
  doubt: text<{ cells: number }>(
    '{cells, plural, one {# check} other {# checks}} may have changed; the next run will tell.',
  ),
  inDoubt: text('In doubt:'),
  unreliable: text('Unreliable:'),
  notMeasured: text('Not measured:'),
  counts: text<{ passed: number; total: number }>('{passed, number} of {total, number} passed'),
  countsAndKnown: text<{ passed: number; total: number; before: number; of: number }>(
    '{passed, number} of {total, number} passed, known {before, number} of {of, number}',
  ),
  andMore: text<{ more: number }>('and {more, number} more'),
  size: text<{ models: number; time: string }>('{models, plural, one {# model} other {# models}}, {time} UTC.'),
};

/** States of a field of the overview: what a model can be used for. */
const states = {
  reliable: text('reliable'),
  few: text('all passed, fewer than 10 asked'),
  conditions: text('with conditions'),
  part: text('measured in part'),
  unusable: text('do not use'),
  unknown: text('not measured'),
};
export type NeedState = keyof typeof states;

/** The form that serves a need, in a word. */
const formWords = {
  none: text('no'),
  schema: text('schema'),
  viaCall: text('via tool call'),
  mend: text<{ config: string }>('needs {config}'),
};

/** Labels that count or name something. */
const labels = {
  cells: text<{ cells: number }>('{cells, plural, one {# check} other {# checks}}'),
  more: text<{ more: number }>('{more, number} more'),
  passed: text<{ passed: number; of: number }>('{passed, number} of {of, number}'),
  measured: text<{ measured: number; of: number }>('{measured, number} of {of, number} measured'),
  quirk: text<{ quirk: string; seen: number; of: number }>('`{quirk}` in {seen, number} of {of, number} answers'),
  breaks: text<{ clients: string }>('⚠ breaks {clients}'),
  breaksClient: text('breaks a client'),
  reads: text<{ clients: string }>('read by: {clients}'),
  lastRuns: text<{ runs: number }>('{runs, plural, one {Last run} other {Last # runs}}'),
  moreChanges: text<{ more: number }>('{more, plural, one {# more change} other {# more changes}}'),
  moreModels: text<{ more: number }>('{more, plural, one {# more model} other {# more models}} in the report'),
  accepted: text<{ day: string }>('baseline accepted on {day}'),
  compareWith: text<{ model: string }>('Compare with {model}'),
  price: text<{ prompt: number; completion: number }>(
    '{prompt, number} prompt, {completion, number} completion, per million tokens',
  ),
  report: text<{ path: string }>('Report: {path}'),
};

/** "Tool calls, streaming and 2 more"; "6 × values are wrong" */
const lists = {
  more: text<{ names: string; more: number }>('{names} and {more} more'),
  counted: text<{ fault: string; count: number }>('{count, number} × {fault}'),
};

/** Invitations to a command; each stands before one. */
const steps = {
  evidence: text('See the evidence:'),
  accept: text('If these changes are intended, accept them:'),
  acceptFirst: text('When you are satisfied with this run, make it the baseline:'),
  acceptGains: text('Accept it, so that losing it again counts as a change:'),
  resume: text('Continue the run:'),
  merge: text('Merge again with all shards:'),
  rerun: text('To repeat what could not be measured, once the service is back:'),
};

export const overviewTexts = { headlines, contexts, states, formWords, labels, lists, steps };
