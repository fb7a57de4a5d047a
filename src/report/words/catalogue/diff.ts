import { type Message, text } from '../message.js';

/** Headings of a diff. */
const diffTitles = {
  gone: text('Gone'),
  lost: text('Lost'),
  whole: text('More answers fail'),
  clients: text('Clients that fail'),
  gained: text('Gained'),
  otherwise: text('Fails in another way'),
  conditions: text('Conditions and thresholds'),
  needs: text('What to send'),
  behaviours: text('Known behaviours of the new model'),
  served: text('Served by another model or version'),
  wire: text('Wire format'),
  unmeasured: text('Not measured'),
  rates: text('Rates (could be chance)'),
};

/** Fates of a model that cannot be compared. */
const lostModelTexts: Readonly<
  Record<'gone' | 'announced' | 'unreachable' | 'unmeasured', Message<{ passed: number; judged: number }>>
> = {
  gone: text('The service no longer knows it; {passed, number} of {judged, number} checks passed.'),
  announced: text('Gone, as was announced; {passed, number} of {judged, number} checks passed.'),
  unreachable: text('Even a plain request failed; {passed, number} of {judged, number} checks passed.'),
  unmeasured: text('No answer could be judged; {passed, number} of {judged, number} checks passed.'),
};

/** Texts of a diff of two sides. */
const diffs = {
  head: text<{ base: string; head: string }>('From {base} to {head}'),
  summary: text<{ lost: number; gained: number; compared: number }>(
    '{lost, plural, one {# check} other {# checks}} lost, {gained, number} gained, of {compared, number} compared.',
  ),
  nothing: text('Nothing was compared: no check was judged on both sides.'),
  models: text<{ models: number; names: string }>(
    '{models, plural, one {# model} other {# models}} could not be compared: {names}.',
  ),
  missed: text<{ cells: number; base: string; head: string }>(
    '{cells, plural, one {# check} other {# checks}} that passed in {base} could not be measured in {head}.',
  ),
  apart: text<{ cells: number }>('{cells, plural, one {# check was} other {# checks were}} judged on one side only.'),
  cut: text<{ side: string; why: string }>('{side} did not ask everything: {why}'),
  suites: text('The suites differ, so a check may have changed because its probe did.'),
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
  quirkGone: text<{ seen: number; of: number }>('no longer happens; before, in {seen, number} of {of, number} answers'),
  noForm: text('no form can be relied on'),
  more: text<{ more: number }>('{more, number} more'),
};

export const diffTexts = { diffTitles, lostModels: lostModelTexts, diffs };
