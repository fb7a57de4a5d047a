import { describe, expect, test } from 'vitest';
import type { Reply } from '../chat/reply.js';
import type { Json } from '../json/json.js';
import { compareReplyDocuments } from './compared.js';
import { checkSchema } from './schema/conformance.js';

const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] };
const comparison = { schemas: [schema, {}], documents: [{ a: 1, b: 2 }] };
const reply: Reply = {
  ...{ id: null, request_id: null, object: null, model: null, system_fingerprint: null, role: null, content: null },
  ...{ reasoning: null, refusal: null, tool_calls: [], finish_reason: null, usage: null, choices: 1, streamed: false },
  ...{ ending: 'plain', empty_chunks: 0, quirks: [] },
};
const call = (args: Json) => ({ id: 'c', type: 'function', name: 'f', arguments: args });
const of = (value: Json | undefined, over: Partial<Reply> = {}) =>
  compareReplyDocuments({ value, reply: { ...reply, ...over } }, comparison, checkSchema);

describe('a comparison tells', () => {
  test('how a document fares under each schema', () => {
    expect(of({ a: 'x' }).value).toMatchObject({
      kind: 'object',
      under: [
        { conforms: false, violations: [{ at: '/a' }] },
        { conforms: true, violations: [] },
      ],
    });
    expect(of({ a: 1 }).value?.under).toEqual([
      { conforms: true, violations: [] },
      { conforms: true, violations: [] },
    ]);
  });

  test.each<readonly [string, Json, boolean, boolean]>([
    ['in another order', { b: 2, a: 1 }, true, true],
    ['with another value', { a: 1, b: 3 }, false, true],
    ['with another member', { a: 1, c: 2 }, false, false],
    ['with fewer members', { a: 1 }, false, false],
    ['a list', [1, 2], false, false],
    ['a text', 'x', false, false],
  ])('whether it is the document that was sent: %s', (_, value, is, hasMembers) => {
    expect(of(value).value).toMatchObject({ is: [is], hasMembersOf: [hasMembers] });
  });

  test('of the JSON in a text, bare or not', () => {
    expect(of(undefined).inText).toBeNull();
    expect(of('words').inText).toBeNull();
    for (const text of ['{"b":2,"a":1}', 'Here: {"b":2,"a":1}.']) {
      expect(of(text)).toMatchObject({ value: { kind: 'text', is: [false] }, inText: { kind: 'object', is: [true] } });
    }
    expect(of(undefined, { content: '```\n{"a":1,"b":2}\n```' })).toMatchObject({
      value: null,
      inText: { is: [true] },
    });
  });

  test('of each call after the first, where its arguments are JSON', () => {
    const tool_calls = [call('{"a":1}'), call('{"a":"x"}'), call('not JSON'), call({ a: 1 })];
    const { value, further } = of({ a: 1 }, { tool_calls });
    expect(value?.under[0]).toMatchObject({ conforms: true });
    expect(further).toMatchObject([{ under: [{ conforms: false }, { conforms: true }] }]);
  });

  test.each<readonly [string, Json | undefined, boolean]>([
    ['nothing', undefined, false],
    ['in a text', 'a\uFFFDb', true],
    ['in a list', [['\uFFFD']], true],
    ['in a name', { a: { 'b\uFFFD': 1 } }, true],
    ['not at all', { a: ['b', null, 1] }, false],
  ])('whether bytes were replaced: %s', (_, value, isGarbled) => {
    expect(of(value).isGarbled).toBe(isGarbled);
  });

  test('little, however large the reply', () => {
    const large = of({ a: 1, filler: 'x'.repeat(1e6) }, { content: 'y'.repeat(1e6), tool_calls: [call('{}')] });
    expect(JSON.stringify(large).length).toBeLessThan(1000);
  });
});
