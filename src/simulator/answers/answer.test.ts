import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  ask,
  askService,
  chunksOf,
  jsonSchema,
  samplesFolder,
  serviceWith,
  tool,
  user,
} from '../../../test/support/ask-service.js';
import type { Json, JsonObject } from '../../json/json.js';
import { tokenize } from './thinking.js';

const invoice = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } }, required: ['a', 'b'] };
const order = tool('create_order', invoice, 'Creates an order.');

/** Joins a stream as the specification says, without the code under test. */
function assembled(text: string): JsonObject {
  let content = '';
  let reasoning = '';
  let args = '';
  let name: Json = null;
  let finish: Json = null;
  let usage: Json = null;
  for (const chunk of chunksOf(text)) {
    usage = chunk['usage'] ?? usage;
    const [choice] = chunk['choices'] as readonly JsonObject[];
    if (choice === undefined) continue;
    finish = choice['finish_reason'] ?? finish;
    const delta = choice['delta'] as Record<string, string | undefined>;
    content += delta['content'] ?? '';
    reasoning += delta['reasoning_content'] ?? '';
    for (const call of (delta['tool_calls'] ?? []) as unknown as {
      function: { name?: string; arguments?: string };
    }[]) {
      name = call.function.name ?? name;
      args += call.function.arguments ?? '';
    }
  }
  return { content, reasoning, name, args, finish, usage };
}

function plain(message: JsonObject, choice: JsonObject, body: JsonObject): JsonObject {
  const [call] = (message['tool_calls'] ?? []) as unknown as { function: { name: string; arguments: string } }[];
  return {
    content: message['content'] ?? '',
    reasoning: message['reasoning_content'] ?? '',
    name: call?.function.name ?? null,
    args: call?.function.arguments ?? '',
    finish: choice['finish_reason'] ?? null,
    usage: body['usage'] ?? null,
  };
}

describe('an answer', () => {
  test('has the shape that the specification gives', async () => {
    const { body, wire } = await ask({ messages: user('Hello') });
    expect(body).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-[0-9a-f]{24}$/) as string,
      object: 'chat.completion',
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant' }, finish_reason: 'stop' }],
    });
    const usage = body['usage'] as Record<string, number>;
    expect(usage['total_tokens']).toBe(usage['prompt_tokens']! + usage['completion_tokens']!);
    expect(wire.headers['traceresponse']).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  });

  test.each<[string, JsonObject]>([
    ['text', { messages: user('Hello') }],
    ['a document', { messages: user('Make one'), ...jsonSchema(invoice) }],
    ['a thought and text', { messages: user('Hello'), thinking: { type: 'enabled' } }],
    ['a call', { messages: user('Make one'), tools: [order], tool_choice: 'required' }],
    [
      'a call after a thought',
      { messages: user('Make one'), tools: [order], tool_choice: 'required', reasoning_effort: 'low' },
    ],
    ['cut text', { messages: user('Write a long essay.'), max_tokens: 9 }],
    ['a cut call', { messages: user('Make one'), tools: [order], tool_choice: 'required', max_tokens: 9 }],
    ['a cut thought', { messages: user('Hello'), thinking: { type: 'enabled' }, max_tokens: 5 }],
  ])('has the same content streamed and not streamed: %s', async (_name, request) => {
    const headers = { 'x-chatspec-trial': 't' };
    const whole = await ask(request, {}, headers);
    const streamed = await ask({ ...request, stream: true }, {}, headers);
    const expected = plain(whole.message, whole.choice, whole.body);
    // Usage differs, because "stream" makes the request longer.
    expect({ ...assembled(streamed.text), usage: null }).toEqual({ ...expected, usage: null });
    expect(streamed.text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(chunksOf(streamed.text).at(-1)).toMatchObject({
      choices: [],
      usage: { completion_tokens: expect.any(Number) as number },
    });
  });
});

describe('max_tokens', () => {
  test('cuts the content after exactly that many tokens', async () => {
    const { content, choice, body } = await ask({ messages: user('Write a long essay.'), max_tokens: 20 });
    expect(tokenize(content).length).toBe(20);
    expect(choice['finish_reason']).toBe('length');
    expect(body['usage']).toMatchObject({ completion_tokens: 20 });
  });

  test('limits thinking first', async () => {
    const { content, choice, body } = await ask(
      { messages: user('Hello'), max_tokens: 30 },
      { thinking: { default: 'on' } },
    );
    expect(content).toBe('');
    expect(choice['finish_reason']).toBe('length');
    expect(body['usage']).toMatchObject({ completion_tokens: 30, completion_tokens_details: { reasoning_tokens: 30 } });
  });

  test('cuts the arguments of a call', async () => {
    const { call, choice } = await ask({
      messages: user('Make one'),
      tools: [order],
      tool_choice: 'required',
      max_tokens: 8,
    });
    expect(call?.name).toBe('create_order');
    expect(call?.arguments).toBeTypeOf('string');
    expect(choice['finish_reason']).toBe('length');
  });

  test('does not change an answer that fits exactly', async () => {
    const { content } = await ask({ messages: user('Say "pong"') });
    const { choice } = await ask({ messages: user('Say "pong"'), max_completion_tokens: tokenize(content).length });
    expect(content).toBe('pong');
    expect(choice['finish_reason']).toBe('stop');
  });
});

describe('thinking', () => {
  const tokens = async (request: JsonObject, thinking = {}): Promise<Json | undefined> => {
    const { body } = await ask({ messages: user('Hello'), ...request }, { thinking });
    return ((body['usage'] as JsonObject)['completion_tokens_details'] as JsonObject | undefined)?.['reasoning_tokens'];
  };

  test('follows its settings', async () => {
    expect(await tokens({})).toBe(0);
    expect(await tokens({ thinking: { type: 'enabled' } })).toBeGreaterThan(0);
    expect(await tokens({ thinking: { type: 'disabled' } }, { default: 'on' })).toBe(0);
    expect(await tokens({ reasoning_effort: 'none' }, { default: 'on' })).toBe(0);
    expect(await tokens({ chat_template_kwargs: { enable_thinking: true } })).toBeGreaterThan(0);
  });

  test('takes more tokens at higher effort', async () => {
    const costs = await Promise.all(['low', 'medium', 'high'].map((effort) => tokens({ reasoning_effort: effort })));
    expect(costs).toEqual([...costs].sort((left, right) => Number(left) - Number(right)));
    expect(new Set(costs).size).toBe(3);
  });

  test('may be accepted without effect', async () => {
    expect(await tokens({ thinking: { type: 'enabled' } }, { obeys: false })).toBe(0);
  });

  test('is counted only in the total by a model that counts so', async () => {
    const { body } = await ask(
      { messages: user('Hello') },
      { thinking: { default: 'on', counted: 'total', field: null } },
    );
    const usage = body['usage'] as Record<string, number>;
    expect(usage['total_tokens']).toBeGreaterThan(usage['prompt_tokens']! + usage['completion_tokens']!);
  });
});

describe('a malformed request', () => {
  const { refused } = parse(readFileSync(join(samplesFolder, '../simulator/refused.yaml'), 'utf8')) as {
    readonly refused: readonly { readonly fields: JsonObject; readonly param: string }[];
  };
  test.each(refused)('is refused with 400 and the name of the field: $fields', async ({ fields, param }) => {
    const sent = Object.entries({ messages: user('hi'), ...fields }).filter(([, value]) => value !== null);
    const { wire, body } = await ask(Object.fromEntries(sent));
    expect(wire.status).toBe(400);
    expect(body).toMatchObject({ error: { type: 'invalid_request_error', param } });
  });

  test('is answered with 404 for an unknown model and 400 for a body that is not a JSON object', async () => {
    const service = await serviceWith();
    expect((await askService(service, { model: 'other', messages: user('hi') })).wire.status).toBe(404);
    expect((await service.complete('{"model"', {})).status).toBe(400);
    expect((await service.complete('[]', {})).status).toBe(400);
  });
});

describe('randomness', () => {
  const faults = [{ when: { rate: 0.3 }, do: { content: 'wrong' } }];
  const outcome = async (service: Awaited<ReturnType<typeof serviceWith>>, trial: string): Promise<string> =>
    (await askService(service, { messages: user('Say "right"') }, { 'x-chatspec-trial': trial })).content;
  const trials = Array.from({ length: 400 }, (_, index) => `cell/${index}`);

  test('depends on seed and trial, not on the order of arrival', async () => {
    const forward = await serviceWith({ faults });
    const backward = await serviceWith({ faults });
    const first = await Promise.all(trials.map((trial) => outcome(forward, trial)));
    const second = await Promise.all(trials.toReversed().map((trial) => outcome(backward, trial)));
    expect(second.reverse()).toEqual(first);
    const reseeded = await serviceWith({ faults, seed: 2 });
    expect(await Promise.all(trials.map((trial) => outcome(reseeded, trial)))).not.toEqual(first);
  });

  test('applies a fault about as often as its rate says', async () => {
    const service = await serviceWith({ faults });
    const wrong = (await Promise.all(trials.map((trial) => outcome(service, trial)))).filter(
      (content) => content === 'wrong',
    );
    expect(wrong.length).toBeGreaterThan(80);
    expect(wrong.length).toBeLessThan(160);
  });

  test('draws anew each time a body without a trial is repeated', async () => {
    const service = await serviceWith({ faults });
    const request = { messages: user('Say "right"') };
    const contents = [];
    for (let count = 0; count < 60; count += 1) contents.push((await askService(service, request)).content);
    expect(new Set(contents)).toEqual(new Set(['right', 'wrong']));
  });
});

describe('attempts', () => {
  const changes = { faults: [{ when: { attempts_below: 1 }, do: { respond: { status: 503 } } }] };
  const request = { messages: user('Hello') };

  test('are taken from the client when it counts them', async () => {
    const at = async (attempt: string): Promise<number> =>
      (await ask(request, changes, { 'x-chatspec-trial': 'a', 'x-chatspec-attempt': attempt })).wire.status;
    expect([await at('0'), await at('1')]).toEqual([503, 200]);
  });

  test('are counted by the service when the client does not', async () => {
    const service = await serviceWith(changes);
    const statuses = [];
    for (let count = 0; count < 3; count += 1) statuses.push((await askService(service, request)).wire.status);
    expect(statuses).toEqual([503, 200, 200]);
  });
});
