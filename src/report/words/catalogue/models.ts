import type { Recommendation } from '../../../matrix/report-format.js';
import { type Plain, text } from '../message.js';

type Counts = Readonly<Record<'passed' | 'total', number>>;

/** What a client may need. */
const needs: Readonly<Record<Recommendation['need'], Plain>> = {
  plain_text: text('Plain text'),
  structured: text('Fixed fields (a schema)'),
  free_json: text('Any JSON object'),
  tool_call: text('Tool call'),
};

/** What a model is good for. */
const cards = {
  form: text<{ need: string; form: string }>('{need}: `{form}`'),
  formWith: text<{ need: string; form: string; members: string }>('{need}: `{form}` with `{members}`'),
  caveat: text<{ what: string; condition: string }>('{what}: `{condition}`'),
  partial: text<{ what: string; passed: number; of: number }>('{what}: {passed} of {of} cells pass'),
  flaky: text<{ what: string; passed: number; total: number }>('{what}: {passed} of {total} answers pass'),
};

/** What a client must know beside the settings of a request. */
const caveats = {
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
const becauses = {
  count: text<{ form: string } & Counts>(
    '{form} passed {passed, number} of {total, plural, one {# trial} other {# trials}}',
  ),
  best: text<{ best: string; counts: string; care: string }>(
    '{best}{counts, select, none {} other { ({counts})}}{care, select, none {} other {; {care}}}.',
  ),
  none: text<{ counts: string }>('None of the forms that were asked for this need can be relied on: {counts}.'),
};

/** Facts of a model. */
const modelFacts = {
  unreached: text('Not reached'),
  commonName: text('Common name'),
  served: text('Served as'),
  fingerprint: text('Fingerprint'),
  baseline: text('Baseline'),
  notAsked: text('Not asked'),
};

export const modelsTexts = { needs, cards, caveats, becauses, modelFacts };
