import { describe, expect, test } from 'vitest';
import { readReply, replyOf } from '../../../test/support/read-reply.js';
import { aCallChunk, aCallFragment, aChunk, anAnswerOf, aStreamEnd, chunkHead } from '../../../test/support/build.js';
import type { Answer } from '../exchange.js';
import { readExchangeAnswer } from '../read-answer.js';

describe('a stream', () => {
  test('gives the reply that a plain answer would', () => {
    const found = readReply(
      aChunk({ role: 'assistant', content: null }) +
        aChunk({ content: 'He' }) +
        aChunk({ content: 'llo' }) +
        aStreamEnd(),
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
    ['finish_reason_and_done', aStreamEnd(), []],
    ['finish_reason_only', aChunk({}, { finish_reason: 'stop' }), ['done_missing']],
    ['done_only', 'data: [DONE]\n\n', ['finish_reason_missing']],
    ['done_only', 'data: [DONE]', ['finish_reason_missing']],
    ['open', '', []],
    ['open', 'data: {"id":"c-1","choices":[{"ind', []],
  ])('ends as %s', (ending, tail, noted) => {
    expect(readReply(aChunk({ role: 'assistant', content: 'Hi' }) + tail)).toMatchObject({
      content: 'Hi',
      ending,
      quirks: noted,
    });
  });

  test.each(['NaN', 'Infinity', '-Infinity'])('says that %s is no JSON', (value) => {
    const body = [aChunk({ content: 'Hi' }) + `data: {"id":"c","choices":[],"logprob":${value}}\n\n`];
    const reading = readExchangeAnswer({ status: 200, headers: {}, body, failure: null });
    expect(reading).toMatchObject({ kind: 'malformed', detail: expect.stringContaining(`(${value} is no`) as unknown });
  });

  test('keeps the pieces of a call that follow the finish_reason, and notes them', () => {
    const call = aCallFragment(0, 'c1', 'order', '{"a"');
    const rest = aCallFragment(0, undefined, undefined, ':1}');
    const whole = [{ id: 'c1', name: 'order', arguments: '{"a":1}' }];
    const finish = aChunk({}, { finish_reason: 'tool_calls' });
    const late = readReply(aCallChunk(call) + finish + aCallChunk(rest) + 'data: [DONE]\n\n');
    expect(late).toMatchObject({ tool_calls: whole });
    expect(late.quirks).toContain('content_after_finish_reason');
    const inTime = readReply(aCallChunk(call) + aCallChunk(rest) + finish + 'data: [DONE]\n\n');
    expect(inTime).toMatchObject({ tool_calls: whole });
    expect(inTime.quirks).not.toContain('content_after_finish_reason');
  });

  test.each([
    ['no event', '', 'no event'],
    ['only comments', ': wait\n\n: wait\n\n', 'no event'],
    ['only [DONE]', 'data: [DONE]\n\n', 'nothing but [DONE]'],
    ['only usage', 'data: {"choices":[],"usage":{}}\n\ndata: [DONE]\n\n', 'no chunk'],
    ['a comment wrapped as data', `data: : PROCESSING\n\n${aChunk({ content: 'Hi' })}${aStreamEnd()}`, 'PROCESSING'],
    ['data that is a number', 'data: 5\n\n', 'not a chunk: "5"'],
  ])('is malformed: %s', (_what, text, detail) => {
    expect(readExchangeAnswer(anAnswerOf(text))).toMatchObject({
      kind: 'malformed',
      detail: expect.stringContaining(detail) as string,
    });
  });

  test.each([
    ['an error event', 'event: error\ndata: boom\n\n'],
    ['an error chunk that looks like a usage chunk', 'data: {"error":{"code":400,"message":"x"},"choices":[]}\n\n'],
    ['an error as a bare line', '{"error":{"message":"x"}}\n'],
    ['finish_reason error', aChunk({}, { finish_reason: 'error' })],
  ])('ends with an error: %s', (_what, text) => {
    const reading = readExchangeAnswer(anAnswerOf(aChunk({ role: 'assistant', content: 'half' }) + text));
    expect(reading).toMatchObject({ kind: 'error', partial: { content: 'half' } });
  });

  test('reads usage wherever it appears', () => {
    const inContent = aChunk({ content: 'Hi' }).replace('"choices"', '"usage":{"total_tokens":3},"choices"');
    expect(readReply(inContent + aStreamEnd()).usage).toEqual({ total_tokens: 3 });
    const alone = `${aChunk({ role: 'assistant', content: 'Hi' })}${aChunk({}, { finish_reason: 'stop' })}data: {"created":1,"choices":[],"usage":{"completion_tokens":1,"total_tokens":4}}\n\ndata: [DONE]\n\n`;
    expect(readReply(alone)).toMatchObject({
      usage: { completion_tokens: 1, total_tokens: 4 },
      empty_chunks: 1,
      quirks: [],
    });
  });

  test('keeps the choices of n > 1 apart', () => {
    const second = `data: ${JSON.stringify({ ...chunkHead, choices: [{ index: 1, delta: { content: 'B' } }] })}\n\n`;
    expect(
      readReply(
        second + aChunk({ role: 'assistant', content: 'A' }) + second + aChunk({ content: 'A' }) + aStreamEnd(),
      ),
    ).toMatchObject({ content: 'AA', choices: 2 });
  });

  test('reads what arrived of a body that was cut', () => {
    const cut: Answer = {
      ...anAnswerOf(aChunk({ content: 'Hi' })),
      failure: { kind: 'connection_reset', message: 'reset' },
    };
    expect(replyOf(readExchangeAnswer(cut))).toMatchObject({ content: 'Hi', ending: 'open' });
  });

  const assembled: readonly (readonly [string, string, readonly object[], readonly string[]])[] = [
    [
      'fragments by index',
      aCallChunk(aCallFragment(0, 'a', 'f', '{"x"'), aCallFragment(1, 'b', 'g', '{')) +
        aCallChunk(aCallFragment(1, undefined, undefined, '}'), aCallFragment(0, undefined, undefined, ':1}')),
      [
        { id: 'a', name: 'f', arguments: '{"x":1}' },
        { id: 'b', name: 'g', arguments: '{}' },
      ],
      [],
    ],
    [
      'an index twice in one chunk',
      aCallChunk(aCallFragment(0, 'a', 'f', ''), aCallFragment(0, undefined, undefined, '{}')),
      [{ id: 'a', name: 'f', arguments: '{}' }],
      [],
    ],
    [
      'null fields never overwrite',
      aCallChunk(aCallFragment(0, 'a', 'f', '{')) +
        aCallChunk(aCallFragment(0, null, null, '}')) +
        aCallChunk(aCallFragment(0, null, null, null)),
      [{ id: 'a', name: 'f', arguments: '{}' }],
      ['null_tool_delta_fields'],
    ],
    [
      'no index, whole calls',
      aCallChunk(aCallFragment(undefined, 'a', 'f', '{}')) + aCallChunk(aCallFragment(undefined, 'b', 'f', '{}')),
      [
        { id: 'a', name: 'f', arguments: '{}' },
        { id: 'b', name: 'f', arguments: '{}' },
      ],
      ['tool_call_index_missing'],
    ],
    [
      'no index, fragments',
      aCallChunk(aCallFragment(undefined, 'a', 'f', '{')) +
        aCallChunk(aCallFragment(undefined, undefined, undefined, '}')),
      [{ id: 'a', name: 'f', arguments: '{}' }],
      ['tool_call_index_missing'],
    ],
    [
      'no index, the id repeated',
      aCallChunk(aCallFragment(undefined, 'a', 'f', '{')) + aCallChunk(aCallFragment(undefined, 'a', undefined, '}')),
      [{ id: 'a', name: 'f', arguments: '{}' }],
      ['tool_call_index_missing'],
    ],
    [
      'a drifting index',
      aCallChunk(aCallFragment(0, 'a', 'f', '{')) + aCallChunk(aCallFragment(1, undefined, undefined, '}')),
      [{ id: 'a', name: 'f', arguments: '{}' }],
      ['tool_call_index_drifts'],
    ],
    [
      'one index for two calls',
      aCallChunk(aCallFragment(0, 'a', 'f', '{}'), aCallFragment(0, 'b', 'g', '{}')),
      [
        { id: 'a', name: 'f', arguments: '{}' },
        { id: 'b', name: 'g', arguments: '{}' },
      ],
      ['tool_call_index_repeated'],
    ],
    [
      'a new id with every fragment',
      aCallChunk(aCallFragment(0, 'a', 'f', '{')) + aCallChunk(aCallFragment(0, 'b', null, '}')),
      [{ id: 'a', name: 'f', arguments: '{}' }],
      ['null_tool_delta_fields'],
    ],
    [
      'a name repeated',
      aCallChunk(aCallFragment(0, 'a', 'get_it', '{')) + aCallChunk(aCallFragment(0, 'a', 'get_it', '}')),
      [{ id: 'a', name: 'get_it', arguments: '{}' }],
      ['tool_call_name_repeated'],
    ],
    [
      'a name in pieces',
      aCallChunk(aCallFragment(0, 'a', 'get_', undefined)) + aCallChunk(aCallFragment(0, 'a', 'it', '{}')),
      [{ id: 'a', name: 'get_it', arguments: '{}' }],
      ['tool_call_name_split'],
    ],
    [
      'arguments as an object',
      aCallChunk(aCallFragment(0, 'a', 'f', { x: 1 })),
      [{ id: 'a', name: 'f', arguments: { x: 1 } }],
      [],
    ],
  ];

  test.each(assembled)('assembles calls: %s', (_what, text, expected, noted) => {
    const found = readReply(aChunk({ role: 'assistant' }) + text + aStreamEnd('tool_calls'));
    expect(found.tool_calls).toEqual(expected);
    expect(found.quirks).toEqual(noted);
  });
});
