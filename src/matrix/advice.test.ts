import { expect, test } from 'vitest';
import { clueKinds, type Clue } from '../judge/clue.js';
import { outcomeClasses, reasons } from '../judge/outcome.js';
import { adviceFor, adviceRows, type AdvisedFailure, type AdviceSources } from './advice.js';
import type { Recommendation } from './report-format.js';

const columns = [
  { id: 'json_schema', title: '', families: ['json_schema', 'strict'] },
  { id: 'tools', title: '', families: ['tools', 'tool_choice'] },
  { id: 'stream', title: '', families: ['stream'] },
];
const use = (need: Recommendation['need'], form: string | null, passed = 12): Recommendation => ({
  ...{ model: 't/m', need, form, settings: {}, because: '', alternatives: [] },
  ...(form !== null && { trials: { passed, total: 12, cells: 3 } }),
});
const knowing = (...recommendations: Recommendation[]): AdviceSources => ({ model: 't/m', recommendations, columns });
const failure = (more: Partial<AdvisedFailure>): AdvisedFailure => ({
  ...{ class: 'not_json', reason: null, capability: 'json_schema', trials: { passed: 0, total: 42 } },
  ...more,
});
const [calls, noCalls] = [use('tool_call', 'tool_choice.required'), use('tool_call', null)];
const [schema, noSchema] = [use('structured', 'json_schema'), use('structured', null)];
const viaCall = use('structured', 'tool_choice.required');
const refused = { class: 'http_error', capability: 'tool_choice.object' } as const;

test.each<readonly [string, Partial<AdvisedFailure>, AdviceSources | null, string, string | null]>([
  ['none of 42 passed', {}, knowing(viaCall), 'hopeless', 'tool_choice.required'],
  ['none of 42 passed, and nothing else works', {}, knowing(noSchema), 'hopeless', null],
  ['one of 42 passed', { trials: { passed: 1, total: 42 } }, knowing(viaCall), 'retry', 'tool_choice.required'],
  ['none of 3 passed', { trials: { passed: 0, total: 3 } }, null, 'hopeless', null],
  ['none of 2 passed', { trials: { passed: 0, total: 2 } }, null, 'retry', null],
  ['the very form that fails', {}, knowing(schema), 'hopeless', null],
  ['streamed, where the form works', { capability: 'stream.json_schema' }, knowing(schema), 'hopeless', 'json_schema'],
  ['a way that never passed', {}, knowing(use('structured', 'tools', 0)), 'hopeless', null],
  ['tools refused', { ...refused, reason: 'parameter_rejected' }, knowing(noCalls, schema), 'no_tools', 'json_schema'],
  [
    'tools refused in a stream',
    { ...refused, capability: 'stream.tools', reason: 'unknown' },
    knowing(noCalls),
    'no_tools',
    null,
  ],
  ['one form of tools', { ...refused, reason: 'tool_choice_unsupported' }, knowing(calls), 'send_required', calls.form],
  [
    'the same, and no form works',
    { ...refused, reason: 'tool_choice_unsupported' },
    knowing(noCalls),
    'no_tools',
    null,
  ],
  [
    'the same, and it is not known which work',
    { ...refused, reason: 'tool_choice_unsupported' },
    knowing(schema),
    'other_form',
    'json_schema',
  ],
  [
    'the same, and nothing is known',
    { ...refused, reason: 'tool_choice_unsupported' },
    null,
    'tool_choice_unsupported',
    null,
  ],
  ['a 5xx that came back', { class: 'http_error', reason: 'server_error' }, knowing(), 'other_request', null],
  ['a single 5xx', { class: 'http_error', reason: 'server_error' }, null, 'server_error', null],
  ['an error in a 200', { class: 'malformed_response', reason: 'context_length' }, null, 'context_length', null],
  [
    'a parameter',
    { class: 'http_error', reason: 'parameter_rejected', capability: 'chat' },
    knowing(),
    'parameter_rejected',
    null,
  ],
  [
    'a parameter by another name',
    { class: 'http_error', reason: 'parameter_rejected', clue: { kind: 'rename', from: 'a', to: 'b' } },
    knowing(noCalls),
    'configure',
    null,
  ],
  ['cut', { class: 'truncated' }, null, 'truncated', null],
  [
    'cut while it repeats itself',
    { class: 'truncated', clue: { kind: 'repetition', length: 1, times: 99 } },
    null,
    'repetition',
    null,
  ],
  [
    'cut in white space',
    { class: 'truncated', clue: { kind: 'white_space', characters: 99 } },
    null,
    'white_space',
    null,
  ],
  ['cut while it reasons', { class: 'truncated', clue: { kind: 'reasoning' } }, null, 'reasoning', null],
  [
    'a call as text',
    { class: 'truncated', capability: 'tools', clue: { kind: 'call_as_text' } },
    knowing(noCalls, schema),
    'call_as_text',
    'json_schema',
  ],
  [
    'no call, ever',
    { class: 'missing_tool_call', capability: 'tools' },
    knowing(noCalls, schema),
    'hopeless',
    'json_schema',
  ],
  [
    'a call at times',
    { class: 'missing_tool_call', capability: 'tools', trials: { passed: 3, total: 4 } },
    knowing(calls),
    'missing_tool_call',
    calls.form,
  ],
  ['no refusal', { class: 'not_refused' }, null, 'not_refused', null],
])('%s', (_, more, sources, code, form) => {
  const advice = adviceFor(failure(more), sources);
  expect([advice?.code, advice?.other?.form ?? null]).toEqual([code, form]);
});

test.each(clueKinds)('the clue %s alone makes no retry of what never passed', (kind) => {
  const advice = adviceFor(failure({ clue: { kind } as Clue }), null);
  expect(advice?.code).toBe(kind === 'rename' || kind === 'set' ? 'configure' : 'hopeless');
});

test('no retry is advised where nothing of much passed, whatever else is known', () => {
  for (const kind of outcomeClasses) {
    for (const reason of [null, ...reasons]) {
      for (const sources of [null, knowing(), knowing(calls, schema), knowing(noCalls, noSchema)]) {
        const found = adviceFor(failure({ class: kind, reason }), sources);
        expect(found?.code, `${kind} ${reason}`).not.toBe('retry');
        expect(found).not.toBeNull();
      }
    }
  }
  expect(adviceRows.at(-1)).toEqual({ advice: 'own' });
});
