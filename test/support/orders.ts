import type { JsonObject } from '../../src/json/json.js';
import type { Expectation } from '../../src/judge/expectation.js';
import type { Judged } from './judged.js';

const order = {
  type: 'object',
  properties: { buyer: { type: 'string' }, total: { type: 'number' } },
  required: ['buyer', 'total'],
  additionalProperties: false,
};
export const tools = [
  { type: 'function', function: { name: 'create_order', parameters: order } },
  { type: 'function', function: { name: 'now', parameters: { type: 'object', properties: {} } } },
];
export const good = '{"buyer":"Li Lei","total":897}';
export const asJson: Partial<Expectation> = { content: 'json', schema: order };
export const anyCall: Partial<Expectation> = { toolCall: { kind: 'any' } };
export const named: Partial<Expectation> = { toolCall: { kind: 'named', name: 'create_order' } };
export const optional: Partial<Expectation> = { toolCall: { kind: 'optional' } };
export const json = (content: string | null, more: JsonObject = {}): Judged => ({
  expect: asJson,
  message: { content, ...more },
});
export const call = (message: JsonObject, expect = named, request: JsonObject = {}): Judged => ({
  message,
  expect,
  request: { tools, ...request },
});
