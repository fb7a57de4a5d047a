import { describe, expect, test } from 'vitest';
import { answer, call, calls, chunk, end, frame, read, reply } from '../../../test/support/answers.js';
import type { Answer } from '../exchange.js';
import { readAnswer } from '../read-answer.js';

describe('a stream', () => {
  test('gives the reply that a plain answer would', () => {
    const found = read(
      chunk({ role: 'assistant', content: null }) + chunk({ content: 'He' }) + chunk({ content: 'llo' }) + end(),
    );
    expect(found).toMatchObject({
      role: 'assistant',
      content: 'Hello',
      finish_reason: 'stop',
      ending: 'finish_reason_and_done',
      quirks: [],
    });
  });

  test.each([
    ['finish_reason_and_done', end(), []],
    ['finish_reason_only', chunk({}, { finish_reason: 'stop' }), ['done_missing']],
    ['done_only', 'data: [DONE]\n\n', ['finish_reason_missing']],
    ['done_only', 'data: [DONE]', ['finish_reason_missing']],
    ['open', '', []],
    ['open', 'data: {"id":"c-1","choices":[{"ind', []],
  ])('ends as %s', (ending, tail, noted) => {
    expect(read(chunk({ role: 'assistant', content: 'Hi' }) + tail)).toMatchObject({
      content: 'Hi',
      ending,
      quirks: noted,
    });
  });

  test.each([
    ['no event', '', 'no event'],
    ['only comments', ': wait\n\n: wait\n\n', 'no event'],
    ['only [DONE]', 'data: [DONE]\n\n', 'nothing but [DONE]'],
    ['only usage', 'data: {"choices":[],"usage":{}}\n\ndata: [DONE]\n\n', 'no chunk'],
    ['a comment wrapped as data', `data: : PROCESSING\n\n${chunk({ content: 'Hi' })}${end()}`, 'PROCESSING'],
    ['data that is a number', 'data: 5\n\n', 'no chunk: "5"'],
  ])('is malformed: %s', (_what, text, detail) => {
    expect(readAnswer(answer(text))).toMatchObject({
      kind: 'malformed',
      detail: expect.stringContaining(detail) as string,
    });
  });

  test.each([
    ['an error event', 'event: error\ndata: boom\n\n'],
    ['an error chunk that looks like a usage chunk', 'data: {"error":{"code":400,"message":"x"},"choices":[]}\n\n'],
    ['an error as a bare line', '{"error":{"message":"x"}}\n'],
    ['finish_reason error', chunk({}, { finish_reason: 'error' })],
  ])('ends with an error: %s', (_what, text) => {
    const reading = readAnswer(answer(chunk({ role: 'assistant', content: 'half' }) + text));
    expect(reading).toMatchObject({ kind: 'error', partial: { content: 'half' } });
  });

  test('takes usage wherever it stands', () => {
    const inContent = chunk({ content: 'Hi' }).replace('"choices"', '"usage":{"total_tokens":3},"choices"');
    expect(read(inContent + end()).usage).toEqual({ total_tokens: 3 });
    const alone = `${chunk({ role: 'assistant', content: 'Hi' })}${chunk({}, { finish_reason: 'stop' })}data: {"choices":[],"usage":{"total_tokens":4}}\n\ndata: [DONE]\n\n`;
    expect(read(alone)).toMatchObject({ usage: { total_tokens: 4 }, empty_chunks: 1, quirks: ['empty_choices_chunk'] });
  });

  test('keeps the choices of n > 1 apart', () => {
    const second = `data: ${JSON.stringify({ ...frame, choices: [{ index: 1, delta: { content: 'B' } }] })}\n\n`;
    expect(
      read(second + chunk({ role: 'assistant', content: 'A' }) + second + chunk({ content: 'A' }) + end()),
    ).toMatchObject({ content: 'AA', choices: 2 });
  });

  test('reads what arrived of a body that broke off', () => {
    const cut: Answer = {
      ...answer(chunk({ content: 'Hi' })),
      failure: { kind: 'connection_reset', message: 'reset' },
    };
    expect(reply(readAnswer(cut))).toMatchObject({ content: 'Hi', ending: 'open' });
  });

  const assembled: readonly (readonly [string, string, readonly object[], readonly string[]])[] = [
    [
      'fragments by index',
      calls(call(0, 'a', 'f', '{"x"'), call(1, 'b', 'g', '{')) +
        calls(call(1, undefined, undefined, '}'), call(0, undefined, undefined, ':1}')),
      [
        { id: 'a', name: 'f', arguments: '{"x":1}' },
        { id: 'b', name: 'g', arguments: '{}' },
      ],
      [],
    ],
    [
      'an index twice in one chunk',
      calls(call(0, 'a', 'f', ''), call(0, undefined, undefined, '{}')),
      [{ id: 'a', name: 'f', arguments: '{}' }],
      [],
    ],
    [
      'null fields never overwrite',
      calls(call(0, 'a', 'f', '{')) + calls(call(0, null, null, '}')) + calls(call(0, null, null, null)),
      [{ id: 'a', name: 'f', arguments: '{}' }],
      ['null_tool_delta_fields'],
    ],
    [
      'no index, whole calls',
      calls(call(undefined, 'a', 'f', '{}')) + calls(call(undefined, 'b', 'f', '{}')),
      [
        { id: 'a', name: 'f', arguments: '{}' },
        { id: 'b', name: 'f', arguments: '{}' },
      ],
      ['tool_call_index_missing'],
    ],
    [
      'no index, fragments',
      calls(call(undefined, 'a', 'f', '{')) + calls(call(undefined, undefined, undefined, '}')),
      [{ id: 'a', name: 'f', arguments: '{}' }],
      ['tool_call_index_missing'],
    ],
    [
      'no index, the id repeated',
      calls(call(undefined, 'a', 'f', '{')) + calls(call(undefined, 'a', undefined, '}')),
      [{ id: 'a', name: 'f', arguments: '{}' }],
      ['tool_call_index_missing'],
    ],
    [
      'a drifting index',
      calls(call(0, 'a', 'f', '{')) + calls(call(1, undefined, undefined, '}')),
      [{ id: 'a', name: 'f', arguments: '{}' }],
      ['tool_call_index_drifts'],
    ],
    [
      'one index for two calls',
      calls(call(0, 'a', 'f', '{}'), call(0, 'b', 'g', '{}')),
      [
        { id: 'a', name: 'f', arguments: '{}' },
        { id: 'b', name: 'g', arguments: '{}' },
      ],
      ['tool_call_index_repeated'],
    ],
    [
      'a new id with every fragment',
      calls(call(0, 'a', 'f', '{')) + calls(call(0, 'b', null, '}')),
      [{ id: 'a', name: 'f', arguments: '{}' }],
      ['null_tool_delta_fields'],
    ],
    [
      'a name repeated',
      calls(call(0, 'a', 'get_it', '{')) + calls(call(0, 'a', 'get_it', '}')),
      [{ id: 'a', name: 'get_it', arguments: '{}' }],
      ['tool_call_name_repeated'],
    ],
    [
      'a name in pieces',
      calls(call(0, 'a', 'get_', undefined)) + calls(call(0, 'a', 'it', '{}')),
      [{ id: 'a', name: 'get_it', arguments: '{}' }],
      ['tool_call_name_split'],
    ],
    ['arguments as an object', calls(call(0, 'a', 'f', { x: 1 })), [{ id: 'a', name: 'f', arguments: { x: 1 } }], []],
  ];

  test.each(assembled)('assembles calls: %s', (_what, text, expected, noted) => {
    const found = read(chunk({ role: 'assistant' }) + text + end('tool_calls'));
    expect(found.tool_calls).toEqual(expected);
    expect(found.quirks).toEqual(noted);
  });
});
