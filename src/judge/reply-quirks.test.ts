import { describe, expect, test } from 'vitest';
import { judged, type Judged } from '../../test/support/judged.js';
import { callMessage } from '../../test/support/build.js';
import { anyCall, call, good, json, optional } from '../../test/support/orders.js';

describe('calls written as text', () => {
  test.each([
    '<tool_call>{"name":"create_order","arguments":{}}</tool_call>',
    '<tool_call>\n<function=create_order>\n<parameter=total>1</parameter></function></tool_call>',
    '<|channel|>commentary to=functions.create_order<|message|>{}',
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.create_order:0<|tool_call_argument_begin|>{}',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>create_order\n```json\n{}\n```',
    '[TOOL_CALLS][{"name":"create_order","arguments":{}}]',
    '{"name":"create_order","arguments":{"total":1}}',
    '```json\n{"name":"create_order","parameters":{}}\n```',
    '[{"type":"function","function":{"name":"create_order","arguments":"{}"}}]',
    '<invoke name="create_order"><parameter name="total">1</parameter></invoke>',
  ])('%s', (content) => {
    for (const expectation of [anyCall, optional]) {
      const outcome = judged(call({ content }, expectation));
      expect(outcome.class).toBe('missing_tool_call');
      expect(outcome.detail).toMatch(/written as text into the content/);
    }
  });
});

describe('tolerated oddities', () => {
  test.each<readonly [string, Judged, string]>([
    ['stop with a call', call(callMessage(['create_order', good])), 'finish_reason_stop_with_tool_call'],
    [
      'no arguments where none are needed',
      { ...call(callMessage(['now', '']), anyCall), finish: 'tool_calls' },
      'arguments_empty',
    ],
    [
      'the text null where none are needed',
      { ...call(callMessage(['now', 'null']), anyCall), finish: 'tool_calls' },
      'arguments_empty',
    ],
    [
      'an object of arguments',
      { ...call(callMessage(['create_order', { buyer: 'A', total: 1 }])), finish: 'tool_calls' },
      'arguments_object',
    ],
    ['an unknown finish_reason', { finish: 'done' }, 'unknown_finish_reason'],
    ['no finish_reason', { finish: null }, 'finish_reason_missing'],
    [
      'a call without an id',
      {
        ...call({ tool_calls: [{ type: 'function', function: { name: 'create_order', arguments: good } }] }),
        finish: 'tool_calls',
      },
      'missing_tool_call_id',
    ],
    ['tool_calls without a call', { finish: 'tool_calls' }, 'finish_reason_tool_calls_without_call'],
    ['a member twice', json('{"buyer":"A","buyer":"B","total":1}'), 'duplicate_keys'],
    [
      'a large integer',
      { message: { content: '9007199254740993' }, expect: { content: 'json' } },
      'integer_beyond_2_53',
    ],
    ['thoughts before text', { message: { content: '<think>hm</think>Hello.' } }, 'think_tags_in_content'],
    ['stray markup', { message: { content: '<tool_call> what?' } }, 'tool_call_markup_in_content'],
    ['no usage', { usage: null }, 'usage_missing'],
  ])('%s', (_what, given, quirk) => {
    const outcome = judged(given);
    expect({ passed: outcome.passed, quirks: outcome.quirks }).toEqual({ passed: true, quirks: [quirk] });
  });
});

test('a call in the retired field alone is one that its finish_reason may announce', () => {
  const message = { content: null, function_call: { name: 'create_order', arguments: good } };
  for (const finish of ['function_call', 'tool_calls']) {
    expect(judged({ ...call(message, anyCall), finish }).quirks).toEqual(['legacy_function_call']);
  }
});

describe('an answer that its cap cut although its finish_reason does not say so', () => {
  const capped = (max_tokens: number, completion: number, more: Judged): Judged => ({
    ...more,
    usage: { prompt_tokens: 20, completion_tokens: completion, total_tokens: 20 + completion },
    request: { ...more.request, max_tokens },
  });
  const half = '{"buyer":"Li Lei","tot';

  test.each<readonly [string, Judged]>([
    ['half a document', capped(12, 12, json(half))],
    ['half a call', capped(12, 12, { ...call(callMessage(['create_order', half])), finish: 'tool_calls' })],
    ['no text at all', capped(12, 12, { message: { content: '' } })],
    ['a text that ends in a word', capped(4, 4, { message: { content: 'Good morning, how are' } })],
    ['a text that ends at a comma', capped(4, 4, { message: { content: 'One, two,' } })],
    ['another word for length', capped(12, 12, { ...json(half), finish: 'max_tokens' })],
    ['half a document for which the expectation is a cut', { ...capped(12, 12, json(half)), expect: { ...json(half).expect, outcome: 'truncated' } }], // prettier-ignore
  ])('%s', (_what, given) => {
    const { quirks, wire } = judged(given);
    expect(quirks).toContain('cut_without_length');
    expect(wire[0]?.could).toContain('cut_at_cap');
  });

  test.each<readonly [string, Judged]>([
    ['cut, and says so', capped(12, 12, { ...json(half), finish: 'length' })],
    ['half a document below the cap: something else cut it', capped(12, 9, json(half))],
    ['a whole document of as many tokens', capped(12, 12, json(good))],
    ['a whole text of as many tokens', capped(3, 3, { message: { content: 'Good morning! 😊' } })],
    ['a service that ignores the cap', capped(3, 40, { message: { content: 'Good morning' } })],
    ['no cap', json(half)],
    ['no usage', { ...capped(12, 12, json(half)), usage: null }],
  ])('not so: %s', (_what, given) => {
    expect(judged(given).quirks).not.toContain('cut_without_length');
  });
});
