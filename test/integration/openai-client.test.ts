import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSimulator, type Simulator } from '../../src/simulator/index.js';
import { messages, schema, wanted } from '../support/weather-request.js';

const model = 'sim-reference';

let simulator: Simulator;
let client: OpenAI;
beforeAll(async () => {
  simulator = await startSimulator();
  client = new OpenAI({ baseURL: simulator.baseUrl, apiKey: 'sk-simulator', maxRetries: 0 });
});
afterAll(() => simulator.close());

describe('the official client against the simulator', () => {
  test('completes a plain request', async () => {
    const completion = await client.chat.completions.create({
      model,
      messages: [{ role: 'user', content: 'Say "pong"' }],
    });
    expect(completion.choices[0]?.message.content).toBe('pong');
    expect(completion.choices[0]?.finish_reason).toBe('stop');
    expect(completion.usage?.total_tokens).toBeGreaterThan(0);
  });

  test('joins a stream', async () => {
    const stream = await client.chat.completions.create({
      model,
      messages: [{ role: 'user', content: 'Write 60 words.' }],
      stream: true,
    });
    let text = '';
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    expect(text.split(' ')).toHaveLength(60);
  });

  test('completes a request with a schema', async () => {
    const completion = await client.chat.completions.create({
      model,
      messages,
      response_format: { type: 'json_schema', json_schema: { name: 'weather', strict: true, schema } },
    });
    expect(JSON.parse(completion.choices[0]?.message.content ?? '')).toEqual(wanted);
  });

  test('completes a request with tools, streamed by the client helper and not', async () => {
    const request = {
      model,
      messages,
      tools: [{ type: 'function' as const, function: { name: 'get_weather', parameters: schema } }],
      tool_choice: { type: 'function' as const, function: { name: 'get_weather' } },
    };
    const plain = await client.chat.completions.create(request);
    const streamed = await client.chat.completions.stream(request).finalChatCompletion();
    for (const completion of [plain, streamed]) {
      const call = completion.choices[0]?.message.tool_calls?.[0];
      expect(call?.type === 'function' && call.function.name).toBe('get_weather');
      expect(call?.type === 'function' && (JSON.parse(call.function.arguments) as unknown)).toEqual(wanted);
    }
  });

  test('raises the errors that the client knows', async () => {
    await expect(client.chat.completions.create({ model: 'gone', messages })).rejects.toBeInstanceOf(
      OpenAI.NotFoundError,
    );
    await expect(client.chat.completions.create({ model, messages: [] })).rejects.toMatchObject({
      status: 400,
      param: 'messages',
    });
    await expect(client.chat.completions.create({ model: 'sim-auth', messages })).rejects.toBeInstanceOf(
      OpenAI.AuthenticationError,
    );
  });
});
