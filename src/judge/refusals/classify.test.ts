import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../json/json.js';
import { classify } from './classify.js';
import { reasons } from '../outcome.js';

const tools = [{ type: 'function', function: { name: 'order' } }];

describe('classify', () => {
  test('quotes the service in one line', () => {
    const { detail } = classify({
      status: 400,
      headers: {},
      body: '{"error":{"message":"a\\nb","code":"x9"}}',
      request: null,
    });
    expect(detail).toBe('HTTP 400: a b (x9)');
  });

  test('distinguishes arguments in the history from generated ones', () => {
    const body = '{"error":{"message":"Failed to parse tool call arguments as JSON"}}';
    const history = { messages: [{ role: 'assistant', tool_calls: [] }] };
    expect(classify({ status: 500, headers: {}, body, request: { tools } }).reason).toBe('model_output_rejected');
    expect(classify({ status: 500, headers: {}, body, request: history }).reason).not.toBe('model_output_rejected');
  });

  test('gives a reason and one line for anything', () => {
    fc.assert(
      fc.property(
        fc.option(fc.integer({ min: 100, max: 599 })),
        fc.oneof(fc.json(), fc.string({ unit: 'binary' }), fc.jsonValue() as fc.Arbitrary<Json>),
        fc.jsonValue() as fc.Arbitrary<Json>,
        (status, body, request) => {
          const { reason, detail } = classify({ status, headers: {}, body, request });
          expect(reasons).toContain(reason);
          expect(detail).not.toContain('\n');
        },
      ),
    );
  });
});
