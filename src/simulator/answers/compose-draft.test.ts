import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ask, jsonSchema, samplesFolder, tool, user } from '../../../test/support/ask-service.js';
import type { Json, JsonObject } from '../../json/json.js';

const schemas = join(samplesFolder, '..', 'schemas');
const schema = (name: string): JsonObject =>
  JSON.parse(readFileSync(join(schemas, `${name}.json`), 'utf8')) as JsonObject;
const rows = (name: string): readonly { text: string; answer: JsonObject }[] =>
  readFileSync(join(samplesFolder, `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { text: string; answer: JsonObject });
const createOrder = tool('create_order', schema('create-order'), 'Creates an order in the shop.');
const findCustomer = tool('find_customer', schema('find-customer'), 'Looks up a customer by name.');
const named = (name: string): JsonObject => ({ type: 'function', function: { name } });

describe('the reference profile on known tasks', () => {
  test('follows a schema that the instructions of a json_object request state', async () => {
    const system = `Return one JSON object that conforms to this JSON Schema: ${JSON.stringify(schema('sentiment'))}`;
    const messages = [{ role: 'system', content: system }, ...(user('Lovely.') as Json[])];
    const { content } = await ask({ messages, response_format: { type: 'json_object' } });
    expect(Object.keys(JSON.parse(content) as object).sort()).toEqual(['reason', 'sentiment']);
  });

  test('carries the tool result of the first request into the second', async () => {
    const [row] = rows('orders');
    const prompt = `The user said: ${row!.text}\nArguments: ${JSON.stringify(row!.answer['create_order'])}\nResult: {"success":false,"order_id":"Z-9"}`;
    const { content } = await ask({ messages: user(prompt), ...jsonSchema(schema('order-summary'), 'order_summary') });
    expect(JSON.parse(content)).toEqual({
      ...(row!.answer['order_summary'] as JsonObject),
      success: false,
      order_id: 'Z-9',
    });
  });

  test('recognises a task whose lines are wrapped differently', async () => {
    const [row] = rows('orders');
    const { call } = await ask({ messages: user(row!.text.replaceAll(' ', '\n')), tools: [createOrder] });
    expect(call?.arguments).toEqual(row!.answer['create_order']);
  });
});

describe('the reference profile with tools', () => {
  const tools = [findCustomer, createOrder] as Json;
  const order = 'Order 3 keyboards for Li Lei, 897.00 CNY in total, dated 2026-05-01.';

  test.each([
    ['none', 'none', order, null],
    ['none, although the prompt insists', 'none', 'You must call create_order now!', null],
    ['auto on an order', 'auto', order, 'create_order'],
    ['auto on a greeting', 'auto', 'Hello! How are you today?', null],
    ['absent on an order', undefined, order, 'create_order'],
    ['required on a greeting', 'required', 'Hello! How are you today?', expect.any(String)],
    ['required, with a fitting tool', 'required', 'Look up the customer named Ann.', 'find_customer'],
    ['named, where another tool fits better', named('find_customer'), order, 'find_customer'],
    ['named, on a greeting', named('create_order'), 'Hello!', 'create_order'],
  ])('%s', async (_name, choice, prompt, expected) => {
    const { call, content } = await ask({
      messages: user(prompt),
      tools,
      ...(choice !== undefined && { tool_choice: choice }),
    });
    expect(call?.name ?? null).toEqual(expected);
    if (expected === null) expect(content).not.toBe('');
  });
});

describe('the reference profile asked to repeat a document', () => {
  const prompt = (document: string): Json =>
    user(`Repeat the JSON document between the marks character for character.\n<document>\n${document}\n</document>`);
  const short = { type: 'object', properties: { a: { type: 'string', maxLength: 3 } }, required: ['a'] };

  const shortText = expect.stringMatching(/^.{0,3}$/) as string;

  test('repeats it without a schema', async () => {
    expect((await ask({ messages: prompt('{"a" : 1.0}') })).content).toBe('{"a" : 1.0}');
  });

  test('repeats a valid document under a schema, character for character', async () => {
    expect((await ask({ messages: prompt('{"a":  "xyz"}'), ...jsonSchema(short) })).content).toBe('{"a":  "xyz"}');
  });

  test('replaces an invalid document with a conforming one', async () => {
    const { content } = await ask({ messages: prompt('{"a":"long text"}'), ...jsonSchema(short) });
    expect(JSON.parse(content)).toEqual({ a: shortText });
  });

  test('repeats an invalid document when the constraint is not enforced', async () => {
    const request = { messages: prompt('{"a":"long text"}'), ...jsonSchema(short) };
    expect((await ask(request, { traits: { ignore_keywords: ['maxLength'] } })).content).toBe('{"a":"long text"}');
    expect((await ask(request, { traits: { ignore_schema: true } })).content).toBe('{"a":"long text"}');
  });

  test('ignores a keyword in one part of the request only', async () => {
    const traits = { ignore_keywords_in: { tools: ['maxLength'] } };
    const messages = prompt('{"a":"long text"}');
    const bound = { tools: [tool('repeat', short)], tool_choice: 'required' };
    expect((await ask({ messages, ...bound }, { traits })).call?.arguments).toEqual({ a: 'long text' });
    const { content } = await ask({ messages, ...jsonSchema(short) }, { traits });
    expect(JSON.parse(content)).toEqual({ a: shortText });
  });

  test('makes up a document where it does not repeat, bound by what it enforces', async () => {
    const marked = { type: 'object', properties: { a: { const: 'made up' } }, required: ['a'] };
    const request = { messages: prompt('{"a":"long text"}'), ...jsonSchema(marked) };
    const told = await ask(request, { traits: { repeats: false } });
    expect(JSON.parse(told.content)).toMatchObject({ a: 'made up' });
    const free = await ask({ messages: prompt('{"a":"long text"}') }, { traits: { repeats: false } });
    expect(free.content).not.toContain('long text');
  });

  test('says something else instead of certain texts', async () => {
    const traits = { repeats_as: { '{"a":"long text"}': '{"a":"abc"}' } };
    expect((await ask({ messages: prompt('{"a":"long text"}') }, { traits })).content).toBe('{"a":"abc"}');
    expect((await ask({ messages: prompt('{"a":"other"}') }, { traits })).content).toBe('{"a":"other"}');
  });

  test('is cut by a limit only where it obeys one', async () => {
    const request = { messages: prompt('{"a":"long text"}'), max_tokens: 2 };
    expect((await ask(request)).choice['finish_reason']).toBe('length');
    const told = await ask(request, { traits: { obeys_limit: false } });
    expect([told.choice['finish_reason'], told.content]).toEqual(['stop', '{"a":"long text"}']);
  });

  test('puts it into the arguments of a tool', async () => {
    const free = { tools: [tool('repeat', { type: 'object' })], tool_choice: 'required' };
    expect((await ask({ messages: prompt('{"a":"long text"}'), ...free })).call?.arguments).toEqual({ a: 'long text' });
    const bound = { tools: [tool('repeat', short)], tool_choice: 'required' };
    expect((await ask({ messages: prompt('{"a":"long text"}'), ...bound })).call?.arguments).toEqual({
      a: shortText,
    });
  });
});
