import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readReply, replyOf } from '../../test/support/read-reply.js';
import { aCallChunk, aCallFragment, aChunk, anAnswerOf, aStreamEnd, chunkHead } from '../../test/support/build.js';
import { readExchangeAnswer } from './read-answer.js';
import type { Reply } from './reply.js';

describe('readAnswer', () => {
  const text = [
    ': waiting\r\n\r\n',
    aChunk({ role: 'assistant', content: 'caf\u00e9 \u{1F642}' }).replaceAll('\n', '\r\n'),
    aCallChunk(aCallFragment(0, 'a', 'f', '{"x"')),
    aCallChunk(aCallFragment(0, null, null, ':"\u{1F642}"}')).replaceAll('\n', '\r'),
    aStreamEnd('tool_calls'),
  ].join('');
  const whole = readExchangeAnswer(anAnswerOf(text));

  test('gives the same reply however the body was cut', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat({ max: text.length })), (at) => {
        const cuts = [0, ...at.sort((a, b) => a - b), text.length];
        const pieces = cuts.slice(1).map((cut, index) => text.slice(cuts[index], cut));
        expect(readExchangeAnswer(anAnswerOf(pieces))).toEqual(whole);
      }),
    );
    expect(readExchangeAnswer(anAnswerOf([...Array(text.length).keys()].map((index) => text.charAt(index))))).toEqual(
      whole,
    );
  });

  test('gives the same reply whether it was streamed or not', () => {
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
            tool_calls: made.map(({ name, args }, index) => aCallFragment(index, `id-${index}`, name, args.join(''))),
          };
          const plain = replyOf(
            readExchangeAnswer(
              anAnswerOf(JSON.stringify({ ...chunkHead, choices: [{ message, finish_reason: 'stop' }] })),
            ),
          );
          const streamed = readReply(
            [
              aChunk({ role: 'assistant' }),
              ...pieces.map((content) => aChunk({ content })),
              ...made.flatMap(({ name, args }, index) => [
                aCallChunk(aCallFragment(index, `id-${index}`, name, '')),
                ...args.map((piece) => aCallChunk(aCallFragment(index, undefined, undefined, piece))),
              ]),
              aStreamEnd(),
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

  test('never throws, whatever the body', () => {
    const garbage = fc.oneof(
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
      fc.property(garbage, fc.constantFrom('', 'application/json', 'text/event-stream'), (body, type) => {
        expect(['reply', 'error', 'malformed']).toContain(readExchangeAnswer(anAnswerOf(body, type)).kind);
      }),
      { numRuns: 500 },
    );
    expect(readExchangeAnswer(anAnswerOf('['.repeat(100_000))).kind).toBe('malformed');
  });
});
