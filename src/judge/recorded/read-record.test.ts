import { expect, test } from 'vitest';
import { type Json, type JsonObject, parsedJson, writtenJson } from '../../json/json.js';
import { readRecords } from './read-record.js';
import { isOtherEndpoint } from './recorded-pair.js';

const completion = { choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' } }] };
const request = { model: 'm', messages: [{ role: 'user', content: 'Say hello.' }] };
const read = (record: Json) => readRecords(writtenJson(record));
/** Of each record its kind, with the code of a problem. */
const kinds = (record: Json) => read(record).map((one) => (one.kind === 'problem' ? one.code : one.kind));

const journal = { type: 'exchange', id: 'e1', exchange: { request: { body: request }, answer: { body: completion } } };
const litellm = { call_type: 'completion', model: 'm', messages: request.messages, response: completion };
const batch = { custom_id: 'b', body: request };
const span = { 'gen_ai.operation.name': 'chat', 'gen_ai.completion.0.content': 'Hello.' };

test.each<[string, Json, readonly string[]]>([
  [
    'a list',
    [
      { request, answer: completion },
      { request, answer: completion },
    ],
    ['pair', 'pair'],
  ],
  ['an empty list', [], ['unknown_form']],
  ['an exchange of a journal', journal, ['pair']],
  ['one without a request', { ...journal, exchange: { answer: completion } }, ['request_missing']],
  ['one without an answer', { ...journal, exchange: { request } }, ['answer_unreadable']],
  ['the first line of a journal', { type: 'run_started' }, ['other']],
  ['the last line of a journal', { type: 'run_finished' }, ['other']],
  ['another type', { type: 'note' }, ['unknown_form']],
  ['a call that LiteLLM logged', litellm, ['pair']],
  ['one without a type', { ...litellm, call_type: '' }, ['pair']],
  ['one of another type', { ...litellm, call_type: 'text_completion' }, ['other']],
  ['one that was redacted', { ...litellm, response: { text: 'redacted-by-litellm' } }, ['answer_missing']],
  ['one with another text', { ...litellm, response: { text: 'x' } }, ['pair']],
  ['one with an empty answer', { ...litellm, response: '' }, ['answer_missing']],
  ['one with an answer of no members', { ...litellm, response: {} }, ['answer_missing']],
  ['one that failed without words', { ...litellm, status: 'failure', response: {} }, ['pair']],
  ['a request of a batch', batch, ['request']],
  ['neither half of a batch', { custom_id: 'b' }, ['unknown_form']],
  ['an answer of a batch', { custom_id: 'b', response: { status_code: 200, body: completion } }, ['answer']],
  ['a batch with both', { ...batch, response: { status_code: 200, body: completion } }, ['pair']],
  ['a batch for embeddings', { ...batch, url: '/v1/embeddings' }, ['other']],
  ['a batch within a request', { custom_id: 'b', request: { url: '/v1/responses', body: request } }, ['other']],
  ['a pair by other names', { input: request, output: completion }, ['pair']],
  ['a pair with the body in it', { request: { url: '/v1/chat/completions', body: request }, answer: 'x' }, ['pair']],
  ['a pair for images', { request: { url: '/v1/images/edits', body: request }, answer: 'x' }, ['other']],
  ['a request alone', { request }, ['answer_missing']],
  ['an error in place of an answer', { request, error: { code: 429 } }, ['pair']],
  ['a body that has a member body', { request: { ...request, body: 5 }, answer: 'x' }, ['pair']],
  ['a span that names no operation', { 'gen_ai.completion.0.content': 'Hello.' }, ['pair']],
  ['an answer alone', { answer: completion }, ['answer']],
  ['no answer', { request, answer: null }, ['answer_missing']],
  ['an error, and no request', { error: 'timed out' }, ['answer']],
  ['a conversation', { messages: [...request.messages, { role: 'assistant', content: 'Hi.' }] }, ['pair']],
  ['a conversation that ends with a question', request, ['unknown_form']],
  ['attributes of OpenTelemetry', span, ['pair']],
  ['a span of something else', { attributes: { 'http.method': 'GET' } }, ['unknown_form']],
  ['an export of nothing', { resourceSpans: [] }, ['other']],
  ['an export of logs', { resourceLogs: [{ scopeLogs: [{ logRecords: [{ attributes: span }] }] }] }, ['pair']],
  [
    'an export in Python',
    { resource_spans: [{ scope_spans: [{ spans: [{ attributes: span }, {}] }] }] },
    ['pair', 'other'],
  ],
  ['a span of another operation', { ...span, 'gen_ai.operation.name': 'text_completion' }, ['other']],
  ['a span of a model of Google', { ...span, 'gen_ai.operation.name': 'generate_content' }, ['pair']],
])('%s', (_what, record, expected) => {
  expect(kinds(record)).toEqual(expected);
});

test('a mark of the order of bytes is no part of a record', () => {
  expect(readRecords(`\uFEFF${writtenJson({ request, answer: completion })}`)[0]?.kind).toBe('pair');
});

/** The one pair in a record: what was asked, and what came. */
function pairIn(record: Json) {
  const [one] = read(record);
  if (one?.kind !== 'pair') throw new Error(`no pair: ${writtenJson(one)}`);
  const { answer, ...pair } = one.pair;
  const body = answer.body.join('');
  return { ...pair, status: answer.status, failure: answer.failure?.kind ?? null, headers: answer.headers, body };
}
const messageIn = (record: JsonObject): Json => {
  const { choices } = parsedJson(pairIn(record).body) as { choices: readonly { message: Json }[] };
  return choices[0]?.message ?? null;
};

test.each<[string, JsonObject, object]>([
  [
    'its headers are those of the service',
    {
      hidden_params: {
        additional_headers: { 'llm_provider-retry-after': '7', 'llm_provider-content-type': 'text/html' },
      },
    },
    { headers: { 'retry-after': '7' } },
  ],
  [
    'the body that a proxy got comes first',
    {
      proxy_server_request: { body: { ...request, seed: 7, stream: true, stream_options: {} } },
      model_parameters: { seed: 8 },
    },
    { request: { ...request, seed: 7 } },
  ],
  [
    'else the settings make one',
    { model_parameters: { seed: 8, stream_options: {} }, proxy_server_request: {} },
    { request: { ...request, seed: 8 } },
  ],
  ['settings may be a text', { optional_params: '{"seed":8}' }, { request: { ...request, seed: 8 } }],
  ['a text of an error is a failure', { error_str: 'Error code: 400' }, { status: 400 }],
  ['None is no text', { exception: 'None' }, { status: 200 }],
  ['a code of a refusal is a failure', { error_information: { error_code: 400 } }, { status: 400 }],
  [
    'a code of a success is none',
    { error_information: { error_code: '200' } },
    { status: 200, body: writtenJson(completion) },
  ],
])('of a log of LiteLLM: %s', (_what, more, expected) => {
  const pair = pairIn({ ...litellm, ...more });
  expect(pair).toMatchObject(expected);
  expect(pair.headers).toEqual('headers' in expected ? expected.headers : {});
  if ('request' in expected) expect(pair.request).toEqual(expected.request);
});

test.each<[string, JsonObject, object]>([
  ['a status of a refusal', { 'http.response.status_code': 400 }, { status: 400, failure: null }],
  ['a type that is a status', { 'error.type': '429' }, { status: 429 }],
  ['a status before the type', { 'error.type': '429', 'http.response.status_code': 503 }, { status: 503 }],
  ['a type that is none', { 'error.type': 'APIConnectionError' }, { status: null, failure: 'other' }],
  ['a message alone', { 'error.message': 'Request timed out' }, { status: null }],
])('a span without an answer: %s', (_what, more, expected) => {
  expect(pairIn({ 'gen_ai.operation.name': 'chat', ...more })).toMatchObject(expected);
});

test('an error that stands alone has its status, and a request that has messages is the body', () => {
  expect(pairIn({ request, error: { code: 429 } }).status).toBe(429);
  expect(pairIn({ request: { ...request, body: { a: 1 } }, answer: 'x' }).request).toMatchObject(request);
});

test('a span without an answer whose status is a success has lost it', () => {
  expect(kinds({ 'gen_ai.operation.name': 'chat', 'http.response.status_code': 399 })).toEqual(['answer_missing']);
});

test('an exception of a span says what went wrong', () => {
  const event = { name: 'exception', attributes: { 'exception.type': 'Timeout', 'exception.message': 'too slow' } };
  const failed = { attributes: { 'gen_ai.operation.name': 'chat' }, events: [event] };
  expect(pairIn(failed)).toMatchObject({ status: null, failure: 'total_timeout' });
  const told = { attributes: { 'gen_ai.operation.name': 'chat' }, status: { message: 'HTTP 503' } };
  expect(pairIn(told)).toMatchObject({ status: 503 });
});

const call = { type: 'tool_call', id: 'c1', name: 'pay', arguments: { total: 1 } };
const wireCall = { id: 'c1', type: 'function', function: { name: 'pay', arguments: '{"total":1}' } };
const output = (...parts: readonly Json[]): JsonObject => ({
  'gen_ai.output.messages': [{ role: 'assistant', parts }],
});

test.each<[string, JsonObject, Json]>([
  [
    'parts of text',
    output({ type: 'text', content: 'a' }, { type: 'text', text: 'b' }),
    { role: 'assistant', content: 'ab' },
  ],
  ['a call', output(call), { role: 'assistant', content: null, tool_calls: [wireCall] }],
  [
    'a text and a call',
    output({ type: 'text', content: 'a' }, call),
    { role: 'assistant', content: 'a', tool_calls: [wireCall] },
  ],
  [
    'reasoning',
    output({ type: 'reasoning', content: 'r' }, { type: 'text', content: 'a' }),
    { role: 'assistant', content: 'a', reasoning_content: 'r' },
  ],
  ['a refusal', output({ type: 'refusal', content: 'no' }), { role: 'assistant', content: '', refusal: 'no' }],
  [
    'numbered members',
    {
      'gen_ai.completion.0.tool_calls.0.name': 'pay',
      'gen_ai.completion.0.tool_calls.0.arguments': '{"total":1}',
      'gen_ai.completion.0.tool_calls.0.id': 'c1',
    },
    { role: 'assistant', content: null, tool_calls: [wireCall] },
  ],
  [
    'a nested attribute',
    { gen_ai: { completion: { 0: 'x' }, output: { messages: '[{"role":"assistant","content":"a"}]' } } },
    { role: 'assistant', content: 'a' },
  ],
])('the message of a span: %s', (_what, attributes, message) => {
  expect(messageIn({ 'gen_ai.operation.name': 'chat', ...attributes })).toEqual(message);
});

test('the message of a span may be an event', () => {
  const chosen = {
    name: 'gen_ai.choice',
    body: { message: { role: 'assistant', content: 'a' }, finish_reason: 'stop' },
  };
  const other = { name: 'gen_ai.user.message', body: { content: 'b' } };
  const record = { attributes: { 'gen_ai.operation.name': 'chat' }, events: [other, chosen] };
  expect(messageIn(record)).toEqual({ role: 'assistant', content: 'a' });
  const details = {
    name: 'gen_ai.client.inference.operation.details',
    attributes: output({ type: 'text', content: 'c' }),
  };
  expect(messageIn({ ...record, events: [details, chosen] })).toEqual({ role: 'assistant', content: 'c' });
});

test('why a span ended, and what it took', () => {
  const calling = { ...output(call), 'gen_ai.response.finish_reasons': ['tool_call'] };
  const body = (more: JsonObject) => parsedJson(pairIn({ 'gen_ai.operation.name': 'chat', ...calling, ...more }).body);
  expect(body({})).not.toHaveProperty('usage');
  expect(body({ 'gen_ai.usage.output_tokens': 7 })).toMatchObject({
    choices: [{ finish_reason: 'tool_calls' }],
    usage: { prompt_tokens: 0, completion_tokens: 7 },
  });
});

const schema = { type: 'object' };
test.each<[string, JsonObject, object]>([
  ['a kind of text', { 'gen_ai.output.type': 'json' }, { response_format: { type: 'json_object' } }],
  [
    'a format as it was sent',
    { 'openai.request.response_format': '{"type":"json_object"}' },
    { response_format: { type: 'json_object' } },
  ],
  ['plain text', { 'gen_ai.output.type': 'text' }, {}],
  [
    'a schema',
    { 'gen_ai.output.schema': '{"type":"object"}' },
    { response_format: { type: 'json_schema', json_schema: { name: 'output', schema } } },
  ],
  [
    'its tools',
    { 'gen_ai.tool.definitions': [{ type: 'function', name: 'pay', parameters: schema }] },
    { tools: [{ type: 'function', function: { name: 'pay', parameters: schema } }] },
  ],
  [
    'tools as they were sent',
    { 'gen_ai.tool.definitions': [{ type: 'function', function: { name: 'pay' } }] },
    { tools: [{ type: 'function', function: { name: 'pay' } }] },
  ],
  ['tools that were called', output(call, call), { tools: [{ type: 'function', function: { name: 'pay' } }] }],
  [
    'numbers of 64 bits',
    { 'gen_ai.request.max_tokens': 9, 'gen_ai.request.tool_choice': '"required"' },
    { max_tokens: 9, tool_choice: 'required' },
  ],
  [
    'what the system says',
    { 'gen_ai.system_instructions': [{ type: 'text', content: 'Be brief.' }] },
    { messages: [{ role: 'system', content: 'Be brief.' }] },
  ],
])('what a span asked: %s', (_what, attributes, body) => {
  expect(pairIn({ ...span, ...attributes }).request).toEqual({ messages: [], ...body });
});

test('values of OTLP are read whatever their type', () => {
  const values: readonly (readonly [string, JsonObject])[] = [
    ['gen_ai.operation.name', { stringValue: 'chat' }],
    ['gen_ai.request.max_tokens', { intValue: '9' }],
    ['gen_ai.request.top_p', { doubleValue: 0.5 }],
    ['gen_ai.request.stop_sequences', { arrayValue: { values: [{ stringValue: 'x' }] } }],
    ['gen_ai.output.schema', { kvlistValue: { values: [{ key: 'type', value: { stringValue: 'object' } }] } }],
    ['gen_ai.completion.0.content', { stringValue: '{}' }],
  ];
  const attributes = values.map(([key, value]) => ({ key, value }));
  expect(pairIn({ attributes }).request).toMatchObject({
    ...{ max_tokens: 9, top_p: 0.5, stop: ['x'], response_format: { json_schema: { schema } } },
  });
});

test.each([
  ['/v1/chat/completions', false],
  ['https://a.example/v1/chat/completions?x=1', false],
  ['/v1/completions', true],
  ['/v1/embeddings', true],
  ['/v1/responses', true],
  ['/responses-proxy/v1', true],
  ['/v1/respond', false],
  [undefined, false],
])('the address %s is that of another endpoint: %s', (url, isOther) => {
  expect(isOtherEndpoint(url)).toBe(isOther);
});

test('what a conversation and a span do not keep is not missed', () => {
  const { unseen } = pairIn({ messages: [...request.messages, { role: 'assistant', content: 'Hi.' }] });
  expect(unseen).toContain('usage_missing');
  expect(pairIn(span).unseen).toContain('missing_tool_call_id');
  expect(pairIn({ request, answer: completion }).unseen).toEqual([]);
});
