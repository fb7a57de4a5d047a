import { describe, expect, test } from 'vitest';
import { ask, askService, chunksOf, jsonSchema, serviceWith, tool, user } from '../../../test/support/ask-service.js';
import type { Json, JsonObject } from '../../json/json.js';

const city = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const weather = tool('get_weather', city, 'The weather of a city.');
const asksWeather = user('City: Paris. What is the weather?');
const choicesOf = (body: JsonObject): readonly JsonObject[] => body['choices'] as unknown as readonly JsonObject[];
const usageOf = (body: JsonObject): JsonObject => body['usage'] as JsonObject;

describe('fields of a request', () => {
  test.each([
    ['temperature 0', { temperature: 0 }],
    ['a seed', { seed: 7 }],
  ])('%s: the same answer each time, streamed or not', async (_name, fields) => {
    const service = await serviceWith();
    const say = async (more: JsonObject) => askService(service, { messages: user('Tell me something.'), ...more });
    const texts = new Set<string>();
    for (let turn = 0; turn < 8; turn += 1) texts.add((await say(fields)).content);
    expect(texts.size).toBe(1);
    const chunks = chunksOf((await say({ ...fields, stream: true })).text);
    const streamed = chunks.flatMap(choicesOf).map(({ delta }) => (delta as { content?: string }).content ?? '');
    expect(streamed.join('')).toBe([...texts][0]);
    const free = new Set<string>();
    for (let turn = 0; turn < 8; turn += 1) free.add((await say({})).content);
    expect(free.size).toBeGreaterThan(1);
  });

  test('stop ends the content before the first of its texts', async () => {
    const { content, choice, body } = await ask({ messages: user('Say "one, two; three"'), stop: [';', ' three'] });
    expect([content, choice['finish_reason']]).toEqual(['one, two', 'stop']);
    const whole = await ask({ messages: user('Say "one, two; three"') });
    expect(usageOf(body)['completion_tokens']).toBeLessThan(usageOf(whole.body)['completion_tokens'] as number);
    expect((await ask({ messages: user('Say "one, two"'), stop: ',' })).content).toBe('one');
  });

  test('n gives so many choices, each with its index', async () => {
    const one = await ask({ messages: user('Tell me something.') });
    const { body } = await ask({ messages: user('Tell me something.'), n: 6 });
    const choices = choicesOf(body);
    expect(choices.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(new Set(choices.map(({ message }) => (message as JsonObject)['content'])).size).toBeGreaterThan(1);
    expect(usageOf(body)['completion_tokens']).toBeGreaterThan(2 * (usageOf(one.body)['completion_tokens'] as number));
    const streamed = await ask({ messages: user('Tell me something.'), n: 3, stream: true });
    const ends = chunksOf(streamed.text)
      .flatMap(choicesOf)
      .filter((choice) => choice['finish_reason'] !== null);
    expect(ends.map(({ index }) => index)).toEqual([0, 1, 2]);
  });

  test('allowed_tools limits the choice', async () => {
    const tools = [weather, tool('find_hotel', city, 'Finds a hotel in a city.')];
    const allowed = (mode: string, ...names: string[]): JsonObject => ({
      tools,
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: { mode, tools: names.map((name) => ({ type: 'function', function: { name } })) },
      },
    });
    expect((await ask({ messages: asksWeather, ...allowed('required', 'find_hotel') })).call?.name).toBe('find_hotel');
    expect((await ask({ messages: asksWeather, ...allowed('auto', 'get_weather') })).call?.name).toBe('get_weather');
    expect((await ask({ messages: user('Hello!'), ...allowed('auto', 'get_weather') })).call).toBeUndefined();
  });

  test('a refusal of an earlier turn is read, and one that a fault makes is sent in its field', async () => {
    const earlier = [
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
      { role: 'assistant', refusal: 'No.' },
    ];
    expect(
      (await ask({ messages: [...(user('Hi') as Json[]), ...earlier, ...(user('Say "yes"') as Json[])] })).content,
    ).toBe('yes');
    const faults = [{ when: {}, do: { refusal: 'I will not.' } }];
    const { message } = await ask({ messages: user('Hi'), ...jsonSchema(city) }, { faults });
    expect(message).toMatchObject({ content: null, refusal: 'I will not.' });
  });

  test('prompt tokens depend on messages and tools only', async () => {
    const tokens = async (more: JsonObject): Promise<Json> =>
      usageOf((await ask({ messages: asksWeather, ...more })).body)['prompt_tokens'] ?? null;
    const plain = await tokens({});
    for (const more of [
      { temperature: 0.123456789, max_tokens: 4096, user: 'someone' },
      jsonSchema(city),
      { seed: 1 },
    ]) {
      expect(await tokens(more)).toBe(plain);
    }
    expect(await tokens({ tools: [weather] })).toBeGreaterThan(plain as number);
    expect(await tokens({ messages: user('City: Paris. What is the weather today, and tomorrow?') })).toBeGreaterThan(
      plain as number,
    );
  });

  test.each<[string, JsonObject]>([
    ['maxLength', { type: 'string', maxLength: 5_000_000 }],
    ['maxItems', { type: 'array', items: { type: 'string' }, maxItems: 5_000_000 }],
  ])('a large %s does not fill the answer', async (_name, member) => {
    const schema = { type: 'object', properties: { note: member }, required: ['note'], additionalProperties: false };
    const { choice, content } = await ask({ messages: user('Make one.'), ...jsonSchema(schema), max_tokens: 1024 });
    expect(choice['finish_reason']).toBe('stop');
    expect(JSON.parse(content)).toHaveProperty('note');
  });

  test('a large minLength is obeyed', async () => {
    const schema = {
      type: 'object',
      properties: { note: { type: 'string', minLength: 5000, maxLength: 9000 } },
      required: ['note'],
    };
    const { content } = await ask({ messages: user('Make one.'), ...jsonSchema(schema) });
    expect((JSON.parse(content) as { note: string }).note.length).toBeGreaterThanOrEqual(5000);
  });
});

describe('a schema in the prompt', () => {
  const schema = {
    type: 'object',
    properties: {
      mood: { type: 'string', enum: ['glad', 'sad'] },
      why: { type: 'string' },
      score: { type: 'integer' },
    },
    required: ['mood', 'why', 'score'],
    additionalProperties: false,
  };
  const written = JSON.stringify(schema);
  const named = { $schema: 'http://json-schema.org/draft-07/schema#', name: 'mood', description: 'A mood', ...schema };
  const json = { response_format: { type: 'json_object' } };
  const ofMood = {
    mood: expect.stringMatching(/^(?:glad|sad)$/) as Json,
    why: expect.any(String) as Json,
    score: expect.any(Number) as Json,
  };
  const system = (content: string): Json => ({ role: 'system', content });
  const asked = user('I lost my keys. mood: sad. Score: 4') as Json[];

  test.each<[string, Json[]]>([
    [
      'by the AI SDK',
      [
        system(`JSON schema:\n${written}\nYou MUST answer with a JSON object that matches the JSON schema above.`),
        ...asked,
      ],
    ],
    [
      'by instructor',
      [
        system(
          `You will return fully valid JSON based on the following description and schema.\n\n  description: A mood\n  json schema: ${JSON.stringify(named)}\n`,
        ),
        ...asked,
      ],
    ],
    [
      'by LangChain, behind an example of another schema',
      user(
        'For example, the "JSON Schema" instance {{"properties": {{"foo": {{"type": "array", "items": {{"type": "string"}}}}}}, "required": ["foo"]}}\n' +
          'or the schema {"properties": {"foo": {"type": "array"}}, "required": ["foo"]} the object {"foo": ["bar"]} is well-formatted.\n' +
          `Here is the JSON Schema instance your output must adhere to:\n\`\`\`json\n${written}\n\`\`\`\n\nI lost my keys. mood: sad. Score: 4`,
      ) as Json[],
    ],
    ['in the turn of the user', user(`mood: sad. Score: 4\nAnswer by this schema: ${written}`) as Json[]],
    [
      'in parts of a message',
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'mood: sad. Score: 4. ' },
            { type: 'text', text: `Schema as JSON: ${written}` },
          ],
        },
      ],
    ],
  ])('is followed with json_object, as written %s', async (_name, messages) => {
    const answer = JSON.parse((await ask({ messages, ...json })).content) as object;
    expect(answer).toEqual(ofMood);
  });

  test('is followed beside the type, as some services take it', async () => {
    const { content } = await ask({ messages: asked, response_format: { type: 'json_object', schema } });
    expect(JSON.parse(content)).toEqual(ofMood);
  });

  test('is followed without a response_format where JSON is asked for', async () => {
    const { content } = await ask({
      messages: user(`mood: sad.\nAnswer as JSON by this schema, in a codeblock: ${written}`),
    });
    expect(JSON.parse(/^```json\n([^]*)\n```$/.exec(content)?.[1] ?? '')).toEqual(ofMood);
  });
});

describe('the result of a tool', () => {
  const call = { id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Paris"}' } };
  const told = [
    ...(asksWeather as Json[]),
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: '{"sky":"clear","degrees":21}' },
  ];
  const then = (content: string): Json => [...told, { role: 'user', content }];

  test.each([
    ['with the tools still there', { tools: [weather] }],
    ['without tools', {}],
  ])('is used when a turn of the user follows, %s', async (_name, more) => {
    const { content, call: again } = await ask({
      messages: then('Thanks. So what is the weather in the city?'),
      ...more,
    });
    expect(again).toBeUndefined();
    expect(content).toContain('"degrees":21');
  });

  test('leads to another call only of a tool that was not called, or is named', async () => {
    const tools = [weather, tool('find_hotel', city, 'Finds a hotel in a city.')];
    expect((await ask({ messages: then('Now find a hotel there.'), tools })).call?.name).toBe('find_hotel');
    expect((await ask({ messages: then('Ask get_weather for Rome.'), tools })).call?.name).toBe('get_weather');
  });

  test('fills a schema, beside the arguments of the call', async () => {
    const schema = {
      type: 'object',
      properties: { city: { type: 'string' }, degrees: { type: 'number' } },
      required: ['city', 'degrees'],
      additionalProperties: false,
    };
    const { content } = await ask({ messages: then('Give the answer as JSON.'), ...jsonSchema(schema) });
    expect(JSON.parse(content)).toEqual({ city: 'Paris', degrees: 21 });
  });
});
