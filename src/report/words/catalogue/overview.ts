import { text } from '../message.js';

/** What the page, the terminal and the summary begin with. */
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
  new: text<{ models: number }>('{models, plural, one {# model fails} other {# models fail}} at something new'),
  better: text<{ models: number }>('Good news: {models, plural, one {# model} other {# models}} got better'),
  unmeasured: text<{ models: number }>(
    '{models, plural, =0 {Too much} one {# model} other {# models}} could not be measured',
  ),
  first: text<{ models: number }>('First run of {models, plural, one {# model} other {# models}}'),
  unreliable: text<{ cells: number; passed: number; total: number }>(
    'No change. {cells, plural, one {# cell that was} other {# cells that were}} accepted as passing {cells, plural, one {passes} other {pass}} {passed, number} of {total, number} times',
  ),
  failing: text<{ cells: number }>(
    'No change is proved. {cells, plural, one {# cell that was} other {# cells that were}} accepted as passing {cells, plural, one {fails} other {fail}}',
  ),
  doubt: text<{ models: number }>('Nothing proved: {models, plural, one {# model} other {# models}} may be worse'),
  quiet: text<{ models: number }>('{models, plural, one {The model does} other {All # models do}} what was accepted'),
};

/** The line below the headline: those that hold, one behind the other. */
const contexts = {
  better: text<{ models: number }>('{models, plural, one {One model} other {# models}} got better.'),
  rest: text('All else is as accepted.'),
  uncovered: text('No baseline yet: accept this run, and the next one shows what changed.'),
  noBaseline: text('No baseline yet.'),
  part: text<{ asked: number; of: number }>(
    'Only {asked, number} of {of, plural, one {# cell} other {# cells}} {asked, plural, one {was} other {were}} asked again.',
  ),
  recovered: text<{ cells: number; of: number }>('{cells, number} of {of, number} recovered.'),
  unmeasured: text<{ cells: number }>('{cells, plural, one {# cell} other {# cells}} could not be measured.'),
  doubt: text<{ cells: number }>('{cells, plural, one {# cell is} other {# cells are}} in doubt.'),
  inDoubt: text('In doubt:'),
  unreliable: text('Unreliable:'),
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
export type State = keyof typeof states;

/** The form that serves a need, in a word. */
const formWords = {
  none: text('no'),
  schema: text('schema'),
  viaCall: text('via tool call'),
};

/** Labels that count or name something. */
const labels = {
  cells: text<{ cells: number }>('{cells, plural, one {# cell} other {# cells}}'),
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
  report: text<{ path: string }>('Report: {path}'),
};

/** "Tool calls, streaming and 2 more"; "6 × values are wrong" */
const lists = {
  more: text<{ names: string; more: number }>('{names} and {more} more'),
  counted: text<{ fault: string; count: number }>('{count, number} × {fault}'),
};

/** What to type next; each stands before a command. */
const steps = {
  evidence: text('See the evidence:'),
  accept: text('If this is right, accept it:'),
  acceptFirst: text('Once it looks right, make it the baseline:'),
  acceptGains: text('Accept to keep it:'),
  resume: text('Continue the run:'),
  merge: text('Merge again with all shards:'),
  rerun: text('Fix this, then ask again what was not measured:'),
};

export const overviewTexts = { headlines, contexts, states, formWords, labels, lists, steps };
