import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Answer } from './exchange.js';
import { quirks } from './quirks.js';
import { readAnswer } from './read-answer.js';
import type { Reading, Reply } from './reply.js';

const frame = { id: 'c-1', object: 'chat.completion.chunk', model: 'm-1' };

function answer(body: string | readonly string[], type = 'text/event-stream'): Answer {
  const pieces = typeof body === 'string' ? [body] : body;
  return { status: 200, headers: { 'content-type': type }, body: pieces, failure: null };
}

function chunk(delta: object, more: object = {}): string {
  return `data: ${JSON.stringify({ ...frame, choices: [{ index: 0, delta, finish_reason: null, ...more }] })}\n\n`;
}

const end = (reason = 'stop'): string => `${chunk({}, { finish_reason: reason })}data: [DONE]\n\n`;

function reply(reading: Reading): Reply {
  if (reading.kind !== 'reply') throw new Error(`no reply: ${JSON.stringify(reading)}`);
  return reading.reply;
}

function read(text: string): Reply {
  return reply(readAnswer(answer(text)));
}

const calls = (...fragments: object[]): string => chunk({ tool_calls: fragments });
const call = (index: unknown, id: unknown, name: unknown, args: unknown): object => ({
  ...(index === undefined ? {} : { index }),
  id,
  type: 'function',
  function: { name, arguments: args },
});

describe('a plain answer', () => {
  const body = {
    id: 'c-1',
    object: 'chat.completion',
    model: 'm-1',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };

  it('is read whole, without quirks', () => {
    const found = reply(readAnswer(answer(JSON.stringify(body), 'application/json')));
    expect(found).toMatchObject({
      id: 'c-1',
      content: 'Hi',
      finish_reason: 'stop',
      ending: 'plain',
      choices: 1,
      quirks: [],
    });
    expect(found.usage).toEqual(body.usage);
  });

  it.each(['text/event-stream', 'application/octet-stream', 'text/plain'])('is read as %s too', (type) => {
    expect(reply(readAnswer(answer(JSON.stringify(body), type))).quirks).toEqual(['content_type_wrong']);
  });

  it('may be preceded by a byte order mark and blank lines', () => {
    expect(reply(readAnswer(answer(`\uFEFF\n\n  ${JSON.stringify(body)}`, 'application/json'))).content).toBe('Hi');
  });

  it.each([
    ['choices null', { ...body, choices: null }, 'choices is null'],
    ['choices empty', { ...body, choices: [] }, 'choices is empty'],
    ['choices missing', { id: 'x' }, 'no choices'],
    ['no message', { choices: [{ index: 0, text: 'legacy', finish_reason: 'stop' }] }, 'no message'],
    ['an empty list', [], 'an empty array'],
    ['a number', 5, 'a number'],
  ])('is malformed: %s', (_what, value, detail) => {
    const reading = readAnswer(answer(JSON.stringify(value), 'application/json'));
    expect(reading).toMatchObject({ kind: 'malformed', detail: expect.stringContaining(detail) as string });
  });

  it.each([
    ['empty', '', 'empty'],
    ['bare newlines', '\n\r\n\n', 'empty'],
    ['a page', '<!DOCTYPE html><html><title>Sign in</title></html>', 'HTML page (Sign in)'],
    ['cut JSON', '{"id":"x","choices":[{', 'neither JSON'],
    ['JSON lines', '{"a":1}\n{"a":2}', 'neither JSON'],
  ])('is malformed: %s', (_what, text, detail) => {
    const reading = readAnswer(answer(text, 'application/json'));
    expect(reading).toMatchObject({ kind: 'malformed', detail: expect.stringContaining(detail) as string });
  });

  it.each([
    ['an object', { error: { message: 'x' } }],
    ['a bare string', { error: 'x' }],
    ['a list', [{ error: { message: 'x' } }]],
    ['beside good choices', { ...body, error: { message: 'x' } }],
    ['base_resp', { base_resp: { status_code: 1008, status_msg: 'x' } }],
    ['code, message, data', { code: 20024, message: 'x', data: null }],
    ['detail', { detail: 'x' }],
    ['the JSON string', 'x'],
    ['inside the choice', { choices: [{ error: { code: 502, message: 'x' }, message: { content: '' } }] }],
    ['finish_reason error', { choices: [{ finish_reason: 'error', message: { content: 'half' } }] }],
    [
      'native_finish_reason',
      { choices: [{ finish_reason: 'stop', native_finish_reason: 'network_error', message: { content: '' } }] },
    ],
  ])('is an error: %s', (_what, value) => {
    expect(readAnswer(answer(JSON.stringify(value), 'application/json')).kind).toBe('error');
  });

  it.each([
    { error: null },
    { error: {} },
    { error: '' },
    { error: { code: 0, message: '' } },
    { base_resp: { status_code: 0, status_msg: 'ok' } },
  ])('is no error because of %j', (more) => {
    expect(readAnswer(answer(JSON.stringify({ ...body, ...more }), 'application/json')).kind).toBe('reply');
  });

  it('does not reach a prototype', () => {
    const text =
      '{"choices":[{"message":{"role":"assistant","content":"Hi","__proto__":{"refusal":"no"}},"finish_reason":"stop"}],"__proto__":{"error":"x"}}';
    expect(reply(readAnswer(answer(text, 'application/json')))).toMatchObject({ content: 'Hi', refusal: null });
    expect(({} as Record<string, unknown>)['error']).toBeUndefined();
  });

  it('names its oddities', () => {
    const odd = {
      choices: [
        {
          message: {
            content: [
              { type: 'text', text: 'a' },
              { type: 'text', text: 'b' },
            ],
            reasoning: 'r',
          },
          finish_reason: '',
        },
      ],
    };
    const found = reply(readAnswer(answer(JSON.stringify(odd), 'application/json')));
    expect(found).toMatchObject({ content: 'ab', reasoning: 'r', finish_reason: null });
    expect(found.quirks).toEqual([
      ...['content_blocks', 'finish_reason_empty_string', 'finish_reason_missing', 'id_missing', 'model_missing'],
      ...['object_unexpected', 'reasoning_field_named_reasoning', 'role_missing', 'usage_missing'],
    ]);
  });
});

describe('a stream', () => {
  it('gives the reply that a plain answer would', () => {
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

  it.each([
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

  it.each([
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

  it.each([
    ['an error event', 'event: error\ndata: boom\n\n'],
    ['an error chunk that looks like a usage chunk', 'data: {"error":{"code":400,"message":"x"},"choices":[]}\n\n'],
    ['an error as a bare line', '{"error":{"message":"x"}}\n'],
    ['finish_reason error', chunk({}, { finish_reason: 'error' })],
  ])('ends with an error: %s', (_what, text) => {
    const reading = readAnswer(answer(chunk({ role: 'assistant', content: 'half' }) + text));
    expect(reading).toMatchObject({ kind: 'error', partial: { content: 'half' } });
  });

  it('takes usage wherever it stands', () => {
    const inContent = chunk({ content: 'Hi' }).replace('"choices"', '"usage":{"total_tokens":3},"choices"');
    expect(read(inContent + end()).usage).toEqual({ total_tokens: 3 });
    const alone = `${chunk({ role: 'assistant', content: 'Hi' })}${chunk({}, { finish_reason: 'stop' })}data: {"choices":[],"usage":{"total_tokens":4}}\n\ndata: [DONE]\n\n`;
    expect(read(alone)).toMatchObject({ usage: { total_tokens: 4 }, empty_chunks: 1, quirks: ['empty_choices_chunk'] });
  });

  it('keeps the choices of n > 1 apart', () => {
    const second = `data: ${JSON.stringify({ ...frame, choices: [{ index: 1, delta: { content: 'B' } }] })}\n\n`;
    expect(
      read(second + chunk({ role: 'assistant', content: 'A' }) + second + chunk({ content: 'A' }) + end()),
    ).toMatchObject({ content: 'AA', choices: 2 });
  });

  it('reads what arrived of a body that broke off', () => {
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

  it.each(assembled)('assembles calls: %s', (_what, text, expected, noted) => {
    const found = read(chunk({ role: 'assistant' }) + text + end('tool_calls'));
    expect(found.tool_calls).toEqual(expected);
    expect(found.quirks).toEqual(noted);
  });
});

describe('what never changes a reply', () => {
  const text = [
    ': waiting\r\n\r\n',
    chunk({ role: 'assistant', content: 'caf\u00e9 \u{1F642}' }).replaceAll('\n', '\r\n'),
    calls(call(0, 'a', 'f', '{"x"')),
    calls(call(0, null, null, ':"\u{1F642}"}')).replaceAll('\n', '\r'),
    end('tool_calls'),
  ].join('');
  const whole = readAnswer(answer(text));

  it('is how it was cut', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat({ max: text.length })), (at) => {
        const cuts = [0, ...at.sort((a, b) => a - b), text.length];
        const pieces = cuts.slice(1).map((cut, index) => text.slice(cuts[index], cut));
        expect(readAnswer(answer(pieces))).toEqual(whole);
      }),
    );
    expect(readAnswer(answer([...Array(text.length).keys()].map((index) => text.charAt(index))))).toEqual(whole);
  });

  it('is whether it was streamed', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }),
        fc.array(
          fc.record({
            name: fc.stringMatching(/^[a-z]{1,8}$/),
            args: fc.array(fc.string(), { minLength: 1, maxLength: 4 }),
          }),
          { maxLength: 3 },
        ),
        (pieces, made) => {
          const message = {
            role: 'assistant',
            content: pieces.join(''),
            tool_calls: made.map(({ name, args }, index) => call(index, `id-${index}`, name, args.join(''))),
          };
          const plain = reply(
            readAnswer(answer(JSON.stringify({ ...frame, choices: [{ message, finish_reason: 'stop' }] }))),
          );
          const streamed = read(
            [
              chunk({ role: 'assistant' }),
              ...pieces.map((content) => chunk({ content })),
              ...made.flatMap(({ name, args }, index) => [
                calls(call(index, `id-${index}`, name, '')),
                ...args.map((piece) => calls(call(index, undefined, undefined, piece))),
              ]),
              end(),
            ].join(''),
          );
          const facts = ({ role, content, tool_calls, finish_reason }: Reply): unknown => ({
            role,
            content,
            tool_calls,
            finish_reason,
          });
          expect(facts(streamed)).toEqual(facts(plain));
        },
      ),
    );
  });

  it('throws for no soup', () => {
    const soup = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc
        .array(
          fc.constantFrom(
            'data: ',
            '\n\n',
            '{"choices":[{"delta":',
            '{"tool_calls":[',
            'null',
            '{}',
            ']',
            '}',
            '[DONE]',
            ':',
            '"',
            'event: error\n',
          ),
        )
        .map((parts) => parts.join('')),
      fc.jsonValue().map((value) => `data: ${JSON.stringify({ choices: [{ delta: value, message: value }] })}\n\n`),
      fc
        .jsonValue()
        .map(
          (value) =>
            `data: ${JSON.stringify({ choices: [{ index: value, delta: { tool_calls: value, content: value } }] })}\n\n`,
        ),
    );
    fc.assert(
      fc.property(soup, fc.constantFrom('', 'application/json', 'text/event-stream'), (body, type) => {
        expect(['reply', 'error', 'malformed']).toContain(readAnswer(answer(body, type)).kind);
      }),
      { numRuns: 500 },
    );
    expect(readAnswer(answer('['.repeat(100_000))).kind).toBe('malformed');
  });
});

it('explains every quirk', () => {
  for (const text of Object.values(quirks)) expect(text).toMatch(/^\S.*[.]$/);
});
