import { expect, test } from 'vitest';
import type { Point } from '../cell/cell-key.js';
import { clueKinds, type Clue } from '../judge/clue.js';
import { outcomeClasses, reasons } from '../judge/outcome.js';
import { adviceFor, adviceRows, type AdviceCode, type AdvisedFailure, type AdviceSources } from './advice.js';
import type { Recommendation, RequestForm } from './report-format.js';

const columns = [
  { id: 'json_schema', title: '', families: ['json_schema', 'strict'] },
  { id: 'tools', title: '', families: ['tools', 'tool_choice'] },
  { id: 'stream', title: '', families: ['stream'] },
];
const use = (need: Recommendation['need'], form: string | null, passed = 12): Recommendation => ({
  ...{ model: 't/m', need, form, settings: {}, because: '', alternatives: [], rejected: [] },
  ...(form !== null && { trials: { passed, total: 12, cells: 3 } }),
});
const knowing = (...recommendations: Recommendation[]): AdviceSources => ({
  models: ['t/m'],
  recommendations,
  columns,
});
const asking = (capability: string, point?: Point) => [{ capability, ...(point && { point }) }];
const sending = (capability: string, form: RequestForm['form'], choice: string | null = null) => [
  { capability, sent: { form, choice, stream: false } },
];
const failure = (more: Partial<AdvisedFailure>): AdvisedFailure => ({
  ...{ class: 'not_json', reason: null, asked: asking('json_schema'), trials: { passed: 0, total: 42 } },
  ...more,
});
const [calls, noCalls] = [use('tool_call', 'tool_choice.required'), use('tool_call', null)];
const [schema, noSchema] = [use('structured', 'json_schema'), use('structured', null)];
const viaCall = use('structured', 'tool_choice.required');
const refused = { class: 'http_error', asked: asking('tool_choice.object') } as const;

const none = (total: number) => ({ trials: { passed: 0, total } });
const half = { trials: { passed: 6, total: 12 } };
const off: Recommendation = { ...schema, settings: { thinking: 'off' } };
const capped: Recommendation = { ...schema, settings: { max_tokens: '2048' } };
const atTimes: Recommendation = { ...noCalls, rejected: [{ form: 'tools', passed: 1, total: 9 }] };
const refusedParameter = (field: string) => ({
  class: 'http_error' as const,
  reason: 'parameter_rejected' as const,
  asked: asking('tools'),
  clue: { kind: 'unsupported' as const, field },
});

test.each<readonly [string, Partial<AdvisedFailure>, AdviceSources | null, string, string | null]>([
  ['none of 42 passed', {}, knowing(viaCall), 'hopeless', 'tool_choice.required'],
  ['none of 42 passed, and nothing else works', {}, knowing(noSchema), 'hopeless', null],
  ['8 of 40 passed', { trials: { passed: 8, total: 40 } }, knowing(viaCall), 'seldom', 'tool_choice.required'],
  ['9 of 40 passed', { trials: { passed: 9, total: 40 } }, knowing(viaCall), 'retry', 'tool_choice.required'],
  ['one of 2 passed', { trials: { passed: 1, total: 2 } }, knowing(viaCall), 'retry', 'tool_choice.required'],
  ['none of 3 passed', { trials: { passed: 0, total: 3 } }, null, 'hopeless', null],
  ['none of 2 passed', { trials: { passed: 0, total: 2 } }, null, 'retry', null],
  ['the very form that fails', {}, knowing(schema), 'hopeless', null],
  ['the very form that fails, where a call works', {}, knowing(schema, calls), 'hopeless', calls.form],
  ['the same, where no call works', {}, knowing(schema, noCalls), 'hopeless', null],
  [
    'a call that fails, where calls alone work',
    { asked: asking('tools') },
    knowing(use('tool_call', 'tools')),
    'hopeless',
    null,
  ],
  [
    'streamed, where the form works',
    { asked: asking('stream.json_schema') },
    knowing(schema),
    'hopeless',
    'json_schema',
  ],
  ['a way that never passed', {}, knowing(use('structured', 'tools', 0)), 'hopeless', null],
  ['tools refused', { ...refused, reason: 'parameter_rejected' }, knowing(noCalls, schema), 'no_tools', 'json_schema'],
  [
    'tools refused in a stream',
    { ...refused, asked: asking('stream.tools'), reason: 'unknown' },
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
  ['3 of 3 that are 5xx', { class: 'http_error', reason: 'server_error', ...none(3) }, null, 'other_request', null],
  ['2 of 2 that are 5xx', { class: 'http_error', reason: 'server_error', ...none(2) }, null, 'server_error', null],
  [
    'output refused 3 times',
    { class: 'http_error', reason: 'model_output_rejected', ...none(3) },
    null,
    'hopeless',
    null,
  ],
  [
    'output refused twice',
    { class: 'http_error', reason: 'model_output_rejected', ...none(2) },
    null,
    'model_output_rejected',
    null,
  ],
  [
    'another function, always',
    { class: 'wrong_function', asked: asking('tools') },
    knowing(calls),
    'hopeless',
    calls.form,
  ],
  ['a form that passes as often', { trials: { passed: 12, total: 12 } }, knowing(viaCall), 'retry', null],
  ['a form that passes less often', half, knowing(use('structured', 'tool_choice.required', 5)), 'retry', null],
  ['a form that passes more often', half, knowing(use('structured', 'tool_choice.required', 7)), 'retry', calls.form],
  ['under load, the very form', { asked: asking('load.json_schema') }, knowing(schema), 'hopeless', null],
  ['with another prompt, the very form', { asked: asking('strict.conflict') }, knowing(schema), 'hopeless', null],
  ['the form with its setting', { asked: asking('json_schema', { thinking: 'off' }) }, knowing(off), 'hopeless', null],
  [
    'without its setting',
    { asked: asking('json_schema', { thinking: 'on' }) },
    knowing(off),
    'hopeless',
    'json_schema',
  ],
  ['with its cap', { asked: asking('json_schema', { max_tokens: '2048' }) }, knowing(capped), 'hopeless', null],
  [
    'under its cap',
    { asked: asking('json_schema', { max_tokens: '2047' }) },
    knowing(capped),
    'hopeless',
    'json_schema',
  ],
  [
    'in two forms',
    { asked: [...asking('json_schema'), ...asking('tool_choice.required')] },
    knowing(viaCall),
    'hopeless',
    null,
  ],
  [
    'in a flow and a form',
    { asked: [...asking('flow.x'), ...asking('tools')] },
    knowing(calls),
    'hopeless',
    calls.form,
  ],
  [
    'as its request asks, whatever it is called',
    { asked: sending('my.probe', 'json_schema') },
    knowing(schema),
    'hopeless',
    null,
  ],
  [
    'the same in a form that another serves',
    { asked: sending('my.probe', 'json_object') },
    knowing(viaCall),
    'hopeless',
    calls.form,
  ],
  [
    'a document that only the prompt asks for',
    { asked: sending('chat', 'text') },
    knowing(schema),
    'hopeless',
    'json_schema',
  ],
  [
    'text without a document',
    { class: 'empty_content', asked: sending('chat', 'text') },
    knowing(schema),
    'hopeless',
    null,
  ],
  ['a call, under any name', { asked: sending('my.probe', 'tools', 'object') }, knowing(calls), 'hopeless', calls.form],
  ['the recommended call', { asked: sending('my.probe', 'tools', 'required') }, knowing(calls), 'hopeless', null],
  [
    'a refused choice, under any name',
    { ...refused, asked: sending('my.probe', 'tools', 'required'), reason: 'tool_choice_unsupported' },
    null,
    'no_choice',
    null,
  ],
  [
    'none as a choice',
    { ...refused, asked: asking('tool_choice.none'), reason: 'tool_choice_unsupported' },
    knowing(noCalls),
    'without_tools',
    null,
  ],
  [
    'nothing judged, and a way that never passed',
    { ...none(0) },
    knowing(use('structured', 'tools', 0)),
    'retry',
    null,
  ],
  [
    'a document that only the prompt asks for, and its own form',
    { asked: sending('chat', 'text') },
    knowing(use('free_json', 'json_object')),
    'hopeless',
    'json_object',
  ],
  ['without a word about its setting', { asked: asking('json_schema', {}) }, knowing(off), 'hopeless', null],
  [
    'an optional call that works elsewhere',
    { asked: sending('my.probe', 'tools', 'auto') },
    knowing(use('tool_call', 'tools')),
    'hopeless',
    null,
  ],
  [
    'a parameter of tools and text',
    { class: 'http_error', reason: 'parameter_rejected', asked: [...asking('tools'), ...asking('chat')] },
    knowing(noCalls),
    'parameter_rejected',
    null,
  ],
  ['cut at every cap', { class: 'truncated', most: 16_384 }, knowing(viaCall), 'no_cap', viaCall.form],
  ['cut at every cap by reasoning', { class: 'truncated', most: 9, clue: { kind: 'reasoning' } }, null, 'no_cap', null],
  ['tools refused by name', { ...refusedParameter('tools') }, null, 'no_tools', null],
  ['tools refused by name at times', { ...refusedParameter('tools') }, knowing(calls), 'other_form', calls.form],
  [
    'a format refused by name',
    { ...refusedParameter('response_format') },
    knowing(viaCall),
    'other_form',
    viaCall.form,
  ],
  ['another field refused by name', { ...refusedParameter('seed') }, knowing(calls), 'leave_out', calls.form],
  [
    'a choice, and tools pass at times',
    { ...refused, reason: 'unknown' },
    knowing(atTimes, schema),
    'unknown',
    schema.form,
  ],
  [
    'the choice that works elsewhere',
    { ...refused, asked: asking('tool_choice.required'), reason: 'tool_choice_unsupported' },
    knowing(use('tool_call', 'tools')),
    'no_choice',
    'tools',
  ],
  [
    'the same while thinking',
    { ...refused, asked: asking('tool_choice.required'), reason: 'tool_choice_thinking' },
    null,
    'no_choice',
    null,
  ],
  ['an error in a 200', { class: 'malformed_response', reason: 'context_length' }, null, 'context_length', null],
  [
    'a parameter',
    { class: 'http_error', reason: 'parameter_rejected', asked: asking('chat') },
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
    { class: 'truncated', asked: asking('tools'), clue: { kind: 'call_as_text' } },
    knowing(noCalls, schema),
    'call_as_text',
    'json_schema',
  ],
  [
    'no call, ever',
    { class: 'missing_tool_call', asked: asking('tools') },
    knowing(noCalls, schema),
    'hopeless',
    'json_schema',
  ],
  [
    'a call at times',
    { class: 'missing_tool_call', asked: asking('tools'), trials: { passed: 3, total: 4 } },
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

/** Codes that say: ask the same again. */
const saysRetry: readonly AdviceCode[] = ['retry', 'model_output_rejected', 'server_error'];
/** Codes that say: leave a parameter out. */
const saysLeaveOut: readonly AdviceCode[] = ['leave_out', 'parameter_rejected'];
const allCounts = [
  [0, 1],
  [0, 3],
  [0, 42],
  [1, 42],
  [41, 42],
].map(([passed = 0, total = 0]) => ({ passed, total }));
const allSources = [
  null,
  knowing(),
  ...[
    [calls, schema],
    [noCalls, schema],
    [calls, noSchema],
    [noCalls, noSchema],
  ].map((some) => knowing(...some)),
];
const allAsked = ['chat', 'json_schema', 'tools', 'tool_choice.required', 'tool_choice.object', 'stream.tools', 'x.y'];

test.each(outcomeClasses)('%s: no advice contradicts its numbers, whatever else is known', (kind) => {
  for (const reason of [null, ...reasons]) {
    for (const trials of allCounts) {
      for (const sources of allSources) {
        for (const capability of allAsked) {
          const where = [kind, reason, trials, capability, sources?.recommendations.map(({ form }) => form)];
          const found = adviceFor({ class: kind, reason, trials, asked: asking(capability) }, sources);
          const { code, other } = found ?? { code: null, other: null };
          const isTools = capability.includes('tool');
          const hasNoTools = sources?.recommendations.includes(noCalls) === true;
          const isHopeless = trials.passed === 0 && trials.total >= 3;
          const holds = {
            advises: code !== null,
            neverRetriesWhatNeverPassed: !(isHopeless && code !== null && saysRetry.includes(code)),
            sendsNoFormThatFails: other === null || other.form !== capability,
            sendsOnlyWhatPassesMoreOften: other === null || other.passed / other.total > trials.passed / trials.total,
            leavesNoToolsOut: !(
              kind === 'http_error' &&
              isTools &&
              hasNoTools &&
              code !== null &&
              saysLeaveOut.includes(code)
            ),
            sendsNoToolsWhereNoneWork: !(isTools && hasNoTools && code === 'send_required'),
            takesToolsWhereTheyWork: !(sources?.recommendations.includes(calls) === true && code === 'no_tools'),
            sendsNoRefusedChoice: !(capability === 'tool_choice.required' && code === 'send_required'),
          };
          expect(
            Object.entries(holds).filter(([, one]) => !one),
            JSON.stringify(where),
          ).toEqual([]);
        }
      }
    }
  }
});

test('the last row fits whatever failed', () => {
  expect(adviceRows.at(-1)).toEqual({ code: 'own' });
});

test.each<readonly [string, readonly Recommendation[], { readonly form: string; readonly passed: number } | null]>([
  ['works for both', [schema, { ...schema, model: 't/n' }], { form: 'json_schema', passed: 24 }],
  ['works for one', [schema, { ...noSchema, model: 't/n' }], null],
  ['was judged of one', [schema], null],
  ['is another for each', [schema, { ...viaCall, model: 't/n' }], null],
  ['has other settings for each', [schema, { ...off, model: 't/n' }], null],
])('where two models fail alike, a way is advised that %s', (_, recommendations, expected) => {
  const sources = { models: ['t/m', 't/n'], recommendations, columns };
  const { other } = adviceFor(failure({ asked: asking('stream.json_schema') }), sources)!;
  expect(other && { form: other.form, passed: other.passed }).toEqual(expected);
});
