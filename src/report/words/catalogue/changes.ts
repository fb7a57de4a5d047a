import { type Plain, text } from '../message.js';

export const changeKinds = ['gone', 'lost', 'changed', 'new', 'wire', 'gained', 'doubt'] as const;
export type ChangeKind = (typeof changeKinds)[number];

const changeTitles: Readonly<Record<ChangeKind, Plain>> = {
  gone: text('gone'),
  lost: text('worse'),
  changed: text('changed'),
  new: text('new'),
  wire: text('wire format'),
  gained: text('better'),
  doubt: text('in doubt'),
};

/** What changed. `what` names capabilities, `fault` is one of {@link faults} or {@link refusals}. */
const changes = {
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
  threshold: text<{ what: string; value: string; before: string; side: string }>(
    '{what}: {value, select, none {passes at no value} other {passes {side} {value}}}; before, {side} {before}.',
  ),
  from: text('from'),
  upTo: text('up to'),
  changed: text<{ what: string; fault: string; before: string }>('{what}: {fault}; before, {before}.'),
  gained: text<{ what: string; passed: number; total: number }>(
    '{what}: works now ({passed, number} of {total, number} passed).',
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
const todos = {
  gone: text('Remove it from the config, or set `retired`.'),
  gained: text('Accept it to keep it.'),
  wire: text('Check that your client reads it.'),
  wireBreaks: text<{ clients: string }>('Mind your clients: {clients}.'),
  doubt: text('Nothing yet: the next run decides.'),
};

const sinceTexts = {
  now: text('new'),
  runs: text<{ runs: number }>('{runs, plural, one {# run} other {# runs}}'),
  atLeast: text<{ runs: number }>('{runs} runs or more'),
};

export const changesTexts = { changeTitles, changes, todos, sinceTexts };
