import { expect, test } from 'vitest';
import type { JsonObject } from '../../json/json.js';
import { refusalFacts } from './refusal.js';
import { unsupportedField, wantedBy } from './wanted.js';

const sent = { model: 'm-1', messages: [], max_tokens: 256, temperature: 0.2 };
const rename = (from: string, to: string) => ({ kind: 'rename', from, to });
const set = (members: JsonObject) => ({ kind: 'set', members });
const cap = rename('max_tokens', 'max_completion_tokens');

interface Case {
  readonly message: string;
  readonly wanted: JsonObject | null;
  readonly more?: JsonObject | undefined;
}

const refusals = (
  [
    ["Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", cap],
    ['max_tokens は使えません。代わりに max_completion_tokens を指定してください。', cap],
    ['Only `max_new_tokens` is accepted; max_tokens is unknown.', rename('max_tokens', 'max_new_tokens')],
    [
      'max_completion_tokens: this model takes max_tokens',
      rename('max_completion_tokens', 'max_tokens'),
      { max_completion_tokens: 9 },
    ],
    ['max_completion_tokens is not supported.', null, { max_completion_tokens: 9 }],
    ['max_tokens is too large: 9000. This model supports at most 4096 completion tokens.', null],
    ['one of max_completion_tokens, max_output_tokens in place of max_tokens', null],
    [
      "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
      set({ temperature: 1 }),
    ],
    ['invalid temperature: only 1 is allowed for this model', set({ temperature: 1 })],
    ['temperature must be 1 when thinking is enabled', set({ temperature: 1 })],
    ['temperature 只能为 1', set({ temperature: 1 })],
    ['temperature must be between 0 and 2', null],
    ['temperature must be 0 or greater', null],
    ['temperature must be 1 to 2', null],
    ['temperature must be 0.2', null],
    ['parameter.enable_thinking must be set to false for non-streaming calls', set({ enable_thinking: false })],
    [
      'This model only support stream mode, please enable the stream parameter to access the model.',
      set({ stream: true }),
    ],
    ['Non-streaming requests are not supported for this model', set({ stream: true })],
    ['当前模型仅支持流式调用', set({ stream: true })],
    ['stream must be set to true', set({ stream: true })],
    ['This model does not support streaming', null],
    ['This model does not support streaming', null, { stream: true }],
    ['This model only supports stream mode', null, { stream: true }],
    ['stream_options is only allowed when stream is enabled', null, { stream_options: {} }],
    ['The answer must be 42', null],
  ] as readonly (readonly [string, JsonObject | null, JsonObject?])[]
).map(([message, wanted, more]): Case => ({ message, wanted, more }));

test.each(refusals)('$message', ({ message, wanted, more }) => {
  const request = more === undefined ? sent : { ...sent, max_tokens: undefined, ...more };
  const known = JSON.parse(JSON.stringify(request)) as JsonObject;
  const facts = refusalFacts({ status: 400, headers: {}, body: { error: { message } }, request: known });
  expect(wantedBy(facts, known)).toEqual(wanted);
});

const asked = { model: 'm-1', messages: [], tools: [], tool_choice: 'auto', max_tokens: 9, thinking: {}, seed: 1 };
const field = (name: string | null) => (name === null ? null : { kind: 'unsupported', field: name });

test.each<readonly [string, string | null, string | null]>([
  ['This model does not support tools.', null, 'tools'],
  ['Function calling is not available for this model', null, 'tools'],
  ['该模型不支持工具', null, 'tools'],
  ['This model does not support images.', null, null],
  ["Unsupported value for thinking.type: 'disabled'", null, 'thinking'],
  ["Unknown field 'seed'", null, 'seed'],
  ['The seed of the trouble is unknown', null, null],
  ['tool_choice is not supported', null, 'tool_choice'],
  ['tool_choice and max_tokens are not supported', null, null],
  ['Not supported', 'seed', 'seed'],
  ['Not supported', 'messages', null],
  ['top_k is not supported', null, null],
])('%s (param %s) refuses %s', (message, param, name) => {
  const body = { error: { message, ...(param !== null && { param }) } };
  const facts = refusalFacts({ status: 400, headers: {}, body, request: asked });
  expect(unsupportedField(facts, asked)).toEqual(field(name));
});
