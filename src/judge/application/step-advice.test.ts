import { describe, expect, test } from 'vitest';
import { anAnswer, anOutcome, aRequest } from '../../../test/support/build.js';
import type { JsonObject } from '../../json/json.js';
import { outcomeClasses, reasonProse, reasons, type Outcome } from '../outcome.js';
import { nextSteps, type NextStep } from './retry-advice.js';
import { retryAdvice } from './retry-advice.js';

/** What the advice tells people to do is the step that it stands beside, for every class, reason and request. */

const format = { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: {} } } };
const tools = { tools: [{ type: 'function', function: { name: 'a' } }] };
const requests: Readonly<Record<string, JsonObject>> = {
  text: {},
  json_schema: format,
  'an optional call': tools,
  required: { ...tools, tool_choice: 'required' },
  object: { ...tools, tool_choice: { type: 'function', function: { name: 'a' } } },
};
const temperatures: readonly JsonObject[] = [{}, { temperature: 0 }, { temperature: 0.7 }];

/** What only the advice of such a step says. */
const words: readonly (readonly [RegExp, readonly NextStep[]])[] = [
  [/(?:^|\. )(?:Retry|Send|Try again)|: retry/, ['retry', 'lower_temperature', 'larger_max_tokens', 'change_request']],
  [/temperature/, ['lower_temperature']],
  [/(?:another|a|verified) (?:request )?form|form or model/, ['other_form', 'change_request']],
  [/(?:[Rr]aise|more) `?(?:max_tokens|output)|room for/, ['larger_max_tokens']],
  [/[Dd]o not (?:retry|send)/, ['never']],
];

const failures: readonly Partial<Outcome>[] = [
  ...outcomeClasses.map((name) => ({ class: name })),
  ...reasons.flatMap((reason) => [400, 429, 502].map((status) => ({ class: 'http_error' as const, reason, status }))),
];

describe.each(Object.entries(requests))('%s', (_, body) => {
  test.each(failures)('$class $reason $status', (failure) => {
    for (const temperature of temperatures) {
      const outcome = anOutcome({ passed: false, ...failure });
      const { step, advice } = retryAdvice(aRequest({ ...body, ...temperature }), anAnswer(), outcome, 0);
      expect(advice).toMatch(/^\S.*\.$/);
      for (const [pattern, steps] of words) {
        if (pattern.test(advice)) expect(steps, `${step}: ${advice}`).toContain(step);
      }
    }
  });
});

/** More tokens help an answer that goes on, and none that would never end. */
test.each([
  ['text', undefined, 'larger_max_tokens'],
  ['text', { kind: 'reasoning' }, 'larger_max_tokens'],
  ['text', { kind: 'repetition', length: 2, times: 60 }, 'lower_temperature'],
  ['json_schema', { kind: 'white_space', characters: 300 }, 'lower_temperature'],
  ['an optional call', { kind: 'call_as_text' }, 'change_request'],
  ['required', { kind: 'call_as_text' }, 'lower_temperature'],
] as const)('a cut %s with %j: %s', (form, clue, step) => {
  const outcome = anOutcome({ passed: false, class: 'truncated', ...(clue !== undefined && { clue }) });
  const advice = retryAdvice(aRequest({ ...requests[form], max_tokens: 100 }), anAnswer(), outcome, 0);
  expect(advice.step).toBe(step);
  expect(Object.hasOwn(advice.changes, 'max_tokens')).toBe(step === 'larger_max_tokens');
});

test('every step has words of its own', () => {
  const found = new Set<string>();
  for (const body of Object.values(requests)) {
    for (const failure of failures) {
      for (const temperature of temperatures) {
        const outcome = anOutcome({ passed: false, ...failure });
        found.add(retryAdvice(aRequest({ ...body, ...temperature }), anAnswer(), outcome, 0).step);
      }
    }
  }
  expect([...found, 'none'].sort()).toEqual([...nextSteps].sort());
});

/** What a refusal names leads out; nobody is told to leave out what the request is about. */
test.each([
  [
    'text',
    { kind: 'rename', from: 'max_tokens', to: 'max_completion_tokens' },
    'change_request',
    'max_completion_tokens',
  ],
  ['text', { kind: 'set', members: { stream: true } }, 'change_request', 'stream'],
  ['text', { kind: 'unsupported', field: 'max_tokens' }, 'change_request', 'max_tokens'],
  ['json_schema', { kind: 'unsupported', field: 'response_format' }, 'other_form', null],
  ['required', { kind: 'unsupported', field: 'tools' }, 'other_form', null],
  ['an optional call', { kind: 'unsupported', field: 'tools' }, 'change_request', null],
] as const)('a refused parameter of %s with %j: %s', (form, clue, step, changed) => {
  const outcome = anOutcome({ passed: false, class: 'http_error', status: 400, reason: 'parameter_rejected', clue });
  const advice = retryAdvice(aRequest({ ...requests[form], max_tokens: 100 }), anAnswer(), outcome, 0);
  expect(advice.step).toBe(step);
  expect(Object.keys(advice.changes).at(-1) ?? null).toBe(changed);
  expect(advice.again).toBe(changed !== null);
  expect(advice.advice).not.toContain(reasonProse.parameter_rejected.advice);
});

test('a choice of no call that is refused is asked for without tools', () => {
  const outcome = anOutcome({ passed: false, class: 'http_error', status: 400, reason: 'tool_choice_unsupported' });
  const asked = aRequest({ ...tools, tool_choice: 'none' });
  expect(retryAdvice(asked, anAnswer(), outcome, 0).changes).toEqual({ tools: null, tool_choice: null });
});
