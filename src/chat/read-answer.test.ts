import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answer, call, calls, chunk, end, frame, read, reply } from '../../test/support/answers.js';
import { readAnswer } from './read-answer.js';
import type { Reply } from './reply.js';

describe('what never changes a reply', () => {
  const text = [
    ': waiting\r\n\r\n',
    chunk({ role: 'assistant', content: 'caf\u00e9 \u{1F642}' }).replaceAll('\n', '\r\n'),
    calls(call(0, 'a', 'f', '{"x"')),
    calls(call(0, null, null, ':"\u{1F642}"}')).replaceAll('\n', '\r'),
    end('tool_calls'),
  ].join('');
  const whole = readAnswer(answer(text));

  test('is how it was cut', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat({ max: text.length })), (at) => {
        const cuts = [0, ...at.sort((a, b) => a - b), text.length];
        const pieces = cuts.slice(1).map((cut, index) => text.slice(cuts[index], cut));
        expect(readAnswer(answer(pieces))).toEqual(whole);
      }),
    );
    expect(readAnswer(answer([...Array(text.length).keys()].map((index) => text.charAt(index))))).toEqual(whole);
  });

  test('is whether it was streamed', () => {
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

  test('throws for no soup', () => {
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
