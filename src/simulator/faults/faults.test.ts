import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ask, chunksOf, jsonSchema, tool, user, type Asked } from '../../../test/support/ask-service.js';
import type { Json, JsonObject } from '../../json/json.js';
import type { Do, When } from '../profiles/profile.js';

const schema = {
  type: 'object',
  properties: {
    who: { type: 'string' },
    total: { type: 'number' },
    unit: { enum: ['A', 'B'] },
    at: { type: 'object', properties: { x: { type: 'integer' } } },
  },
  required: ['who', 'total', 'unit', 'at'],
  additionalProperties: false,
};
const known = '{"who":"Li","total":3,"unit":"A","at":{"x":1}}';
const document: JsonObject = { messages: user(`Summarise ${known}`), ...jsonSchema(schema) };
const call: JsonObject = {
  messages: user(`Enter ${known}`),
  tools: [tool('enter', schema), tool('other', { type: 'object' })],
  tool_choice: 'required',
};
const ping: JsonObject = {
  messages: user('Ping'),
  tools: [tool('ping', { type: 'object', properties: {} })],
  tool_choice: 'required',
};
const text: JsonObject = { messages: user('Say "pong"') };

const under = (action: Do, request: JsonObject, when: When = {}): Promise<Asked> =>
  ask(request, { faults: [{ when, do: action }] });
const callsOf = (asked: Asked): readonly JsonObject[] => (asked.message['tool_calls'] ?? []) as readonly JsonObject[];
const functionOf = (asked: Asked): JsonObject => callsOf(asked)[0]?.['function'] as JsonObject;

describe('faults in the answer', () => {
  test('set content, refusal and reasoning', async () => {
    expect((await under({ content: '' }, document)).message['content']).toBe('');
    expect((await under({ content: null }, document)).message['content']).toBeNull();
    expect((await under({ refusal: 'no' }, document)).message).toMatchObject({ refusal: 'no', content: null });
    expect((await under({ reasoning: 'hm' }, text)).message).toMatchObject({
      reasoning_content: 'hm',
      content: 'pong',
    });
  });

  test('wrap the content without changing it', async () => {
    expect((await under({ fence: 'json' }, document)).content).toBe(`\`\`\`json\n${known}\n\`\`\``);
    expect((await under({ prefix: '<think>', suffix: '!' }, document)).content).toBe(`<think>${known}!`);
  });

  test('move the content to the reasoning', async () => {
    expect((await under({ content_to_reasoning: true }, document)).message).toMatchObject({
      reasoning_content: known,
      content: null,
    });
  });

  test('drop calls, empty them and write them as text', async () => {
    const dropped = await under({ drop_calls: 'Sure' }, call);
    expect(dropped.message).toEqual({ role: 'assistant', content: 'Sure' });
    const emptied = await under({ empty_calls: null }, call);
    expect(emptied.message).toMatchObject({ tool_calls: [] });
    expect(emptied.choice['finish_reason']).toBe('tool_calls');
    const written = await under({ call_as_text: { template: '<{name}>{arguments}', in: 'content' } }, call);
    expect(written.content).toBe(`<enter>${known}`);
    expect(callsOf(written)).toEqual([]);
    const thought = await under({ call_as_text: { template: '<{name}>', in: 'reasoning' } }, call);
    expect(thought.message['reasoning_content']).toContain('<enter>');
  });

  test('call although no call is allowed, or call another function', async () => {
    expect((await under({ call_tool: true }, { ...call, tool_choice: 'none' })).call?.name).toBe('enter');
    expect((await under({ other_function: true }, call)).call?.name).toBe('other');
    expect((await under({ rename_function: 'x.y' }, call)).call?.name).toBe('x.y');
    const named = { ...call, tool_choice: { type: 'function', function: { name: 'other' } } };
    expect((await under({ choose_as: 'required' }, named)).call?.name).toBe('enter');
  });

  test('damage the arguments', async () => {
    expect(functionOf(await under({ cut_document: 0.5 }, call))['arguments']).toBe(known.slice(0, known.length / 2));
    expect(functionOf(await under({ double_encode: true }, call))['arguments']).toBe(JSON.stringify(known));
    expect(functionOf(await under({ arguments_as_object: true }, call))['arguments']).toEqual(JSON.parse(known));
    expect(functionOf(await under({ empty_arguments: '' }, ping))['arguments']).toBe('');
    expect(functionOf(await under({ empty_arguments: null }, ping))['arguments']).toBeNull();
    expect(functionOf(await under({ empty_arguments: '' }, call))['arguments']).toBe(known);
  });

  test.each<[NonNullable<Do['break_document']>, Json]>([
    ['drop_member', { who: 'Li', total: 3, unit: 'A' }],
    ['extra_member', expect.objectContaining({ note: expect.any(String) as string }) as Json],
    ['wrong_type', { who: 'Li', total: '3', unit: 'A', at: { x: 1 } }],
    ['wrong_enum', expect.objectContaining({ unit: 'something else' }) as Json],
    ['all_strings', { who: 'Li', total: '3', unit: 'A', at: { x: '1' } }],
    ['nested_string', { who: 'Li', total: 3, unit: 'A', at: '{"x":1}' }],
  ])('violate the schema: %s', async (how, expected) => {
    expect(JSON.parse((await under({ break_document: how }, document)).content)).toEqual(expected);
    expect((await under({ break_document: how }, call)).call?.arguments).toEqual(expected);
  });

  test('change the values and nothing else', async () => {
    expect(JSON.parse((await under({ wrong_values: true }, document)).content)).toEqual({
      who: 'Li',
      total: 4,
      unit: 'A',
      at: { x: 2 },
    });
  });

  test('set finish_reason, usage and any member of the body', async () => {
    expect((await under({ finish_reason: 'eos' }, text)).choice['finish_reason']).toBe('eos');
    expect((await under({ usage: null }, text)).body).not.toHaveProperty('usage');
    expect((await under({ set: { '/choices': null, '/request_id': 'r' } }, text)).body).toMatchObject({
      choices: null,
      request_id: 'r',
    });
    expect((await under({ unset: ['/choices/0/message'] }, text)).choice).not.toHaveProperty('message');
    expect((await under({ content_blocks: true }, text)).message['content']).toEqual([{ type: 'text', text: 'pong' }]);
  });
});

describe('faults in a stream', () => {
  const stream = async (action: Do, request: JsonObject = text): Promise<string> =>
    (await under(action, { ...request, stream: true })).text;
  const choicesOf = (stream: string): readonly JsonObject[] =>
    chunksOf(stream).flatMap((chunk) => chunk['choices'] as readonly JsonObject[]);
  const deltas = (stream: string): readonly JsonObject[] =>
    choicesOf(stream).flatMap(
      (choice) => ((choice['delta'] as JsonObject)['tool_calls'] ?? []) as readonly JsonObject[],
    );

  test('omit its end, its finish_reason, or everything', async () => {
    expect(await stream({ drop_done: true })).not.toContain('[DONE]');
    expect(choicesOf(await stream({ drop_finish: true })).every((choice) => choice['finish_reason'] === null)).toBe(
      true,
    );
    expect(await stream({ only_done: true })).toBe('data: [DONE]\n\n');
    expect(await stream({ keep_events: 0 })).toBe('');
    expect(chunksOf(await stream({ keep_events: 2 }))).toHaveLength(2);
  });

  test('add comments and events', async () => {
    expect(await stream({ comments: 'WAIT' })).toMatch(/^: WAIT\n\ndata: /);
    expect(await stream({ insert_event: { at: 0, data: { choices: [] } } })).toMatch(/^data: \{"choices":\[\]\}\n\n/);
    expect(await stream({ append_event: { raw: 'event: error\ndata: {}\n\n' } })).toMatch(
      /event: error\ndata: \{\}\n\n$/,
    );
  });

  test('change ids, indexes and fields of call fragments', async () => {
    const unnamed = await stream({ null_ids: true }, call);
    expect(chunksOf(unnamed).every((chunk) => chunk['id'] === null)).toBe(true);
    expect(deltas(unnamed).every((delta) => delta['id'] === null)).toBe(true);
    expect(deltas(await stream({ drop_indexes: true }, call)).some((delta) => 'index' in delta)).toBe(false);
    expect(deltas(await stream({ null_fields: true }, call)).at(-1)).toMatchObject({
      id: null,
      type: null,
      function: { name: null },
    });
    expect(
      deltas(await stream({ drifting_index: true }, call))
        .map((delta) => delta['index'])
        .slice(0, 2),
    ).toEqual([0, 1]);
    const [, first] = chunksOf(await stream({ duplicate_index: true }, call));
    expect((first!['choices'] as readonly { delta: { tool_calls: Json[] } }[])[0]!.delta.tool_calls).toHaveLength(2);
  });

  test('move usage to the content, empty finish_reason, send content blocks', async () => {
    const last = chunksOf(await stream({ usage_in_content: true })).filter((chunk) => 'usage' in chunk);
    expect(last).toHaveLength(1);
    expect(last[0]!['choices']).toMatchObject([{ delta: { content: expect.any(String) as string } }]);
    expect(choicesOf(await stream({ empty_finish: true }))[0]!['finish_reason']).toBe('');
    expect(choicesOf(await stream({ content_blocks: true }))[1]!['delta']).toEqual({
      content: [{ type: 'text', text: expect.any(String) as string }],
    });
  });
});

describe('faults in the response', () => {
  test('answer with any status, header and body', async () => {
    const refused = await under({ respond: { status: 418, headers: { 'x-a': '1' }, body: ['no'] } }, text);
    expect([refused.wire.status, refused.wire.headers['x-a'], refused.text]).toEqual([418, '1', '["no"]']);
    const page = await under({ respond: { status: 502, text: '<html>' } }, text);
    expect([page.wire.headers['content-type'], page.text]).toEqual(['text/html; charset=utf-8', '<html>']);
  });

  test('answer before the request is checked', async () => {
    expect((await under({ respond: { status: 503 } }, {})).wire.status).toBe(503);
  });

  test('replay a recorded answer byte for byte', async () => {
    const { wire, text: body } = await under({ respond: { replay: 'recordings/auth-wrong.http' } }, text);
    expect(wire.status).toBe(401);
    expect(body).toBe('{"error":{"message":"Invalid API Key","type":"authentication_error","code":401}}');
    await expect(under({ respond: { replay: '../../../package.json' } }, text)).rejects.toThrow(/outside/);
  });

  test('change status, headers, bytes and line ends', async () => {
    expect((await under({ status: 201 }, text)).wire.status).toBe(201);
    expect((await under({ headers: { traceresponse: null, 'content-type': 'x/y' } }, text)).wire.headers).toEqual({
      'content-type': 'x/y',
    });
    expect((await under({ raw_body: { base64: '//4=' } }, text)).wire.parts).toEqual([Buffer.from([255, 254])]);
    expect((await under({ line_ends: 'crlf' }, { ...text, stream: true })).text).toContain('\r\n\r\n');
  });

  test('send oversized bodies', async () => {
    const { wire } = await under({ gzip_bomb_mb: 3 }, text);
    expect(gunzipSync(wire.parts[0] as Uint8Array)).toHaveLength(3 * 2 ** 20);
    expect((wire.parts[0] as Uint8Array).length).toBeLessThan(50_000);
    expect((await under({ huge_body_mb: 200 }, text)).wire.repeat).toMatchObject({ times: 200 });
    expect((await under({ endless: true }, { ...text, stream: true })).wire.repeat).toMatchObject({ times: Infinity });
  });

  test('cut, stall and drip', async () => {
    expect((await under({ reset: 'before_headers' }, text)).wire.ending).toBe('reset_before_headers');
    expect((await under({ stall: 'before_headers' }, text)).wire.ending).toBe('stall_before_headers');
    const whole = (await ask(text)).text;
    const half = await under({ reset: 'during_body' }, text);
    expect([half.wire.ending, half.text.length * 2]).toEqual(['reset', whole.length + (whole.length % 2)]);
    const dripped = await under({ drip_ms: 5 }, text);
    expect([dripped.wire.parts.length, dripped.wire.delay.between]).toEqual([Buffer.byteLength(whole), 5]);
  });
});

describe('conditions of a fault', () => {
  const json = user('as JSON, please');
  test.each<[string, When, JsonObject, JsonObject]>([
    ['response_format', { response_format: ['json_schema'] }, document, text],
    ['response_format none', { response_format: ['none'] }, text, document],
    ['strict', { strict: true }, document, { ...document, ...jsonSchema(schema, 'x', false) }],
    ['tools', { tools: true }, call, text],
    ['tool_choice', { tool_choice: ['required'] }, call, { ...call, tool_choice: 'auto' }],
    ['tool_choice absent', { tool_choice: ['absent'] }, { messages: json, tools: call['tools']! }, { messages: json }],
    ['stream', { stream: true }, { ...text, stream: true }, text],
    ['thinking', { thinking: true }, { ...text, reasoning_effort: 'low' }, text],
    ['max_tokens_below', { max_tokens_below: 100 }, { ...text, max_tokens: 99 }, { ...text, max_tokens: 100 }],
    ['max_tokens_below without any', { max_tokens_below: 100 }, { ...text, max_tokens: 1 }, text],
    ['max_tokens_from', { max_tokens_from: 100 }, text, { ...text, max_tokens: 99 }],
    ['json_word', { json_word: true }, { messages: json }, text],
    ['json_word absent', { json_word: false }, text, { messages: json }],
    ['prompt', { prompt: 'PO.G' }, text, { messages: json }],
    ['repeat', { repeat: true }, { messages: user('Repeat <document>{"a":1}</document>') }, text],
    [
      'keywords',
      { keywords: ['enum'] },
      document,
      { ...text, ...jsonSchema({ type: 'object', properties: { enum: { type: 'string' } } }) },
    ],
    ['has', { has: ['seed'] }, { ...text, seed: 1 }, text],
    ['two conditions', { stream: true, tools: true }, { ...call, stream: true }, { ...text, stream: true }],
  ])('%s', async (_name, when, matching, other) => {
    const action: Do = { respond: { status: 599 } };
    expect((await under(action, matching, when)).wire.status).toBe(599);
    expect((await under(action, other, when)).wire.status).toBe(200);
  });

  test('authorization', async () => {
    const faults = [{ when: { authorization: 'missing' as const }, do: { respond: { status: 401 } } }];
    expect((await ask(text, { faults })).wire.status).toBe(401);
    expect((await ask(text, { faults }, { authorization: 'Bearer sk-x' })).wire.status).toBe(200);
  });
});
