import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anAnswer, anAnswerOf, anExchange, anExpectation } from '../../test/support/build.js';
import { judged } from '../../test/support/judged.js';
import { largeAnswers } from '../../test/support/large-answers.js';
import { anyCall, asJson, optional, tools } from '../../test/support/orders.js';
import { readExchangeAnswer } from '../chat/read-answer.js';
import { judgeExchange } from './judge.js';

const expectations = [{}, asJson, anyCall, optional];

/** Judged by what was answered: not by chatspec's own failure. */
function expectJudged(status: number, body: string): void {
  for (const expect_ of expectations) {
    const outcome = judged({ answer: { status, body: [body] }, expect: expect_, request: { tools } });
    expect(outcome.class === null, outcome.detail ?? '').toBe(outcome.passed);
    expect((outcome.detail ?? '').length).toBeLessThanOrEqual(2000);
  }
}

describe('an answer is judged', () => {
  test.each(Object.entries(largeAnswers))('however much it holds: %s', (_, ofSize) => {
    expectJudged(200, ofSize(1000));
    expectJudged(400, ofSize(300));
  });

  // More than a call can have arguments, and than a function can recurse.
  test.each([
    ['many choices in one chunk', 130_000],
    ['many calls in one delta', 130_000],
    ['plain calls', 130_000],
    ['plain parts', 130_000],
    ['errors', 130_000],
    ['a deep body', 130_000],
    ['plain content that is a deep document', 130_000],
  ])('with more than a call can have arguments, or a function can recurse: %s', (name, times) => {
    const body = largeAnswers[name]?.(times) ?? '';
    const outcome = judged({ answer: { body: [body] }, expect: anyCall, request: { tools } });
    expect(outcome.class === null, outcome.detail ?? '').toBe(outcome.passed);
  });

  const leaf = fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null), fc.constant('['.repeat(5000)));
  const wrappers = [
    '[',
    '{"content":',
    '{"error":',
    '{"message":',
    '{"text":[',
    '{"arguments":',
    '{"detail":',
  ] as const;
  const deep = fc
    .tuple(
      fc.array(fc.constantFrom(...wrappers), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 0, max: 30_000 }),
      leaf,
    )
    .map(([parts, times, inner]) => {
      const open = parts.join('').repeat(times);
      const close = [...parts]
        .reverse()
        .map((part) =>
          Array.from(part)
            .reverse()
            .map((char) => ({ '[': ']', '{': '}' })[char] ?? '')
            .join(''),
        )
        .join('');
      return open + JSON.stringify(inner) + close.repeat(times);
    });
  const places: readonly ((text: string) => string)[] = [
    (text) => text,
    (text) => `data: ${text}\n\n`,
    (text) =>
      `data: {"choices":[{"delta":{"content":${text},"tool_calls":[{"index":0,"function":{"name":"f","arguments":${text}}}]}}]}\n\n`,
    (text) => `{"choices":[{"message":${text}}]}`,
    (text) => `{"choices":[{"message":{"content":${JSON.stringify(text)}},"finish_reason":"stop"}]}`,
    (text) =>
      `{"choices":[{"message":{"tool_calls":[{"function":{"name":"now","arguments":${JSON.stringify(text)}}}]}}]}`,
    (text) => `{"error":{"message":${JSON.stringify(text)},"details":${text}}}`,
  ];

  test('however deep it is nested, wherever', () => {
    fc.assert(
      fc.property(deep, fc.constantFrom(...places), fc.constantFrom(200, 400, 500), (text, place, status) => {
        expectJudged(status, place(text));
      }),
      { numRuns: 60 },
    );
  });
});

describe('an answer that chatspec itself fails on', () => {
  const broken = anAnswer();
  Object.defineProperty(broken, 'body', {
    get: () => {
      throw new RangeError('Maximum call stack size exceeded');
    },
  });

  test('is not read, and its judgement is a fault of no class, which is not held against the model', () => {
    expect(readExchangeAnswer(broken).kind).toBe('unread');
    const exchange = { ...anExchange(), answer: broken };
    const outcome = judgeExchange(exchange, anExpectation(), { vars: {}, request: {}, steps: {} });
    expect(outcome).toMatchObject({ passed: false, fault: true, class: null, reason: null, status: 200 });
    expect(outcome.detail).toContain('chatspec itself failed to judge this answer');
    expect(outcome.detail).toContain('Maximum call stack size exceeded');
  });

  test('is told from one that is merely malformed', () => {
    expect(readExchangeAnswer(anAnswerOf('x')).kind).toBe('malformed');
  });
});
