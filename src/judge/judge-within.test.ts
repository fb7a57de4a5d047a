import { describe, expect, test } from 'vitest';
import { aCompletion, anExchange, anExpectation, aRequest } from '../../test/support/build.js';
import { climbLadder, judge, judgeWithin, outcomeAfter } from './judge.js';
import type { Expectation } from './expectation.js';
import { checkSchema } from './schema/conformance.js';
import { OutOfPatience, shortPatience, TimeLimitExceeded } from './schema/patience.js';

const exploding = `${'a'.repeat(60)}b`;
const explodingPattern = { type: 'string', pattern: '^(a+)+$' };
const rule = (assert: string): Partial<Expectation> => ({ content: 'any', rules: [{ id: 'r', assert }] });
const schema = (of: object): Partial<Expectation> => ({ content: 'json', schema: of as never });

function asked(content: string, expectation: Partial<Expectation>, message: object = {}) {
  const body = aRequest({});
  const exchange = anExchange(body, { body: [aCompletion({ message: { content, ...message } })] });
  return {
    exchange,
    judging: { expectation: anExpectation(expectation), values: { vars: {}, request: body, steps: {} } },
  };
}

/** A comparison with a schema, and a document to find. */
const comparison = { schemas: [explodingPattern, { type: 'string' }], documents: ['aaa', exploding] };
const call = (text: string) => ({ type: 'function', function: { name: 'f', arguments: JSON.stringify(text) } });

describe('judging within a time', () => {
  test.each([
    ['a pattern', JSON.stringify(exploding), schema(explodingPattern)],
    ['a regular expression of a rule', exploding, rule('$contains(value, /^(a+)+$/)')],
    ['a rule that never ends', 'x', rule('($f := function($x) { $f($x + 1) }; $f(1))')],
  ])('gives up early where it would take longer: %s', (_, content, expectation) => {
    const { exchange, judging } = asked(content, expectation);
    // Ajv is loaded with the first schema.
    checkSchema('', explodingPattern);
    expect(judgeWithin(25, exchange, judging)).toBeNull();
  });

  test.each([
    ['the document', JSON.stringify(exploding), {}],
    ['a document in a fence', `\`\`\`json\n["${exploding}"]\n\`\`\``, {}],
    ['the arguments of a further call', null, { tool_calls: [call('aaa'), call(exploding)] }],
  ])('gives up early where a comparison would take longer: %s', (_, content, message) => {
    const { exchange, judging } = asked(content ?? '', { content: 'any', toolCall: { kind: 'optional' } }, message);
    const schemas = [{ anyOf: [explodingPattern, { type: 'array', items: explodingPattern }] }];
    checkSchema('', schemas[0]!);
    expect(judgeWithin(25, exchange, { ...judging, comparison: { schemas, documents: [] } })).toBeNull();
    expect(judgeWithin(25, exchange, judging)).not.toBeNull();
  });

  test('counts the time of all checks together', () => {
    const patience = shortPatience(60);
    const spin = (most: number): number => {
      const until = performance.now() + 20;
      while (performance.now() < until);
      return most;
    };
    const stopped = (): never => {
      throw new TimeLimitExceeded();
    };
    expect(patience(50, spin)).toBe(50);
    expect(patience(50, spin)).toBeLessThanOrEqual(40);
    expect(patience(50, spin)).toBeLessThanOrEqual(20);
    expect(() => patience(50, stopped)).toThrow(OutOfPatience);
    // It has had all the time that it may take at all.
    expect(() => shortPatience(60)(50, stopped)).toThrow(TimeLimitExceeded);
  });

  test.each([
    ['a document that conforms', '["a"]', schema({ uniqueItems: true, items: explodingPattern })],
    ['one that does not', '["a","a"]', schema({ uniqueItems: true })],
    ['a schema that cannot be used', '1', schema({ $ref: '#/nowhere' })],
    ['a broken rule', 'x', rule('$contains(value, /^(y+)+$/)')],
    ['a rule that cannot be evaluated', 'x', rule('$number(value) > 1')],
    ['text that is no JSON', 'Sure!', schema({ uniqueItems: true })],
  ])('gives the same outcome as without a limit: %s', (_, content, expectation) => {
    const { exchange, judging } = asked(content, expectation);
    const outcome = judge(exchange, judging.expectation, judging.values);
    expect(judgeWithin(2000, exchange, judging)).toEqual(outcome);
    // As another thread would hand it over.
    const climbed = structuredClone(climbLadder(structuredClone(exchange), structuredClone(judging)));
    expect(outcomeAfter(climbed, exchange, judging)).toEqual(outcome);
  });

  test.each([
    ['a document', '"aaa"', { content: 'json' }, {}],
    ['text that holds one', 'Here: {"a":1} and more', { content: 'json' }, {}],
    ['a call', '', {}, { tool_calls: [call('aaa'), call('b')] }],
  ] as const)('compares alike, however it is judged: %s', (_, content, expectation, message) => {
    const { exchange, judging } = asked(content, expectation, message);
    const comparing = { ...judging, comparison };
    const outcome = judgeWithin(2000, exchange, comparing);
    expect(outcome?.compared).toBeDefined();
    expect(outcome).toEqual({ ...judge(exchange, judging.expectation, judging.values), compared: outcome?.compared });
    const climbed = structuredClone(climbLadder(structuredClone(exchange), structuredClone(comparing)));
    expect(outcomeAfter(climbed, exchange, comparing)).toEqual(outcome);
  });
});
