import { describe, expect, test } from 'vitest';
import { aCompletion, anExchange, aRequest, callMessage } from '../../../test/support/build.js';
import type { Json, JsonObject } from '../../json/json.js';
import { judgeExchange as judgeInRun } from '../judge.js';
import { anExpectation } from '../../../test/support/build.js';
import { judge, type CheckRule, type Judgement, type RuleInput } from './judge-answer.js';

const schema = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] };
const structured = { response_format: { type: 'json_schema', json_schema: { name: 'order', schema } } };
const tool = (name: string) => ({ type: 'function', function: { name, parameters: schema } });
const named = { tools: [tool('a'), tool('b')], tool_choice: { type: 'function', function: { name: 'b' } } };

const of = (message: JsonObject, request: JsonObject = structured, finish = 'stop'): Judgement =>
  judge({ status: 200, body: aCompletion({ message, finish }) }, { request: aRequest(request) });
const refused = (status: number, error: Json, request: JsonObject = structured, headers: object = {}): Judgement =>
  judge({ status, headers, body: { error } }, { request: aRequest(request) });

describe('what must come back follows from the request', () => {
  test.each<readonly [string, JsonObject, JsonObject, string | null]>([
    ['a document of the schema', structured, { content: '{"total":1}' }, null],
    ['a document that breaks the schema', structured, { content: '{"total":"1"}' }, 'schema_violation'],
    ['a list for json_object', { response_format: { type: 'json_object' } }, { content: '[]' }, 'schema_violation'],
    ['the named call', named, callMessage(['b', '{"total":1}']), null],
    ['another call', named, callMessage(['a', '{"total":1}']), 'wrong_function'],
    ['text in place of a call', { ...named, tool_choice: 'required' }, { content: 'Done.' }, 'missing_tool_call'],
    ['a call where none was offered', {}, callMessage(['b', '{}']), 'unexpected_tool_call'],
    ['nothing', {}, { content: '' }, 'empty_content'],
  ])('%s', (_what, request, message, failure) => {
    expect(of(message, request).class).toBe(failure);
  });

  test('unless the program says otherwise; its rules are functions', () => {
    const judged = (check: (value: Json) => boolean): Judgement =>
      judge(JSON.parse(aCompletion({ message: { content: '{"total":3}' } })), {
        request: aRequest(),
        expect: { schema, rules: [{ id: 'sum', check, message: 'the sum is wrong' }] },
      });
    const total = (value: Json): number => Number((value as JsonObject)['total']);
    expect(judged((value) => total(value) === 3)).toMatchObject({ passed: true, value: { total: 3 } });
    expect(judged((value) => total(value) === 4)).toMatchObject({
      ...{ class: 'rule_violation', violations: [{ at: 'sum', message: 'the sum is wrong' }] },
      log: { error: 'broken rule sum: the sum is wrong', validation_errors: [{ at: 'sum' }] },
    });
    expect(judged(() => 1 as unknown as boolean).passed).toBe(false);
    const throws = judged(() => {
      throw new Error('no total');
    });
    expect(throws.violations).toEqual([{ at: 'sum', message: 'the sum is wrong (error: no total)' }]);
  });

  test('a function sees the answer as it came, and may ask for the effect of a setting', async () => {
    const judged = (rule: Partial<CheckRule> & Pick<CheckRule, 'check'>) => {
      const body = aCompletion({ message: { content: 'Hello.' } });
      const given = { request: aRequest(), expect: { rules: [{ id: 'own', ...rule }] } };
      return judge(new Response(body, { status: 200, headers: { 'X-Cache': 'HIT' } }), given);
    };
    const hit = await judged({
      check: (_, { answer }) => answer.status === 200 && answer.headers['x-cache'] === 'HIT',
    });
    const body = await judged({ check: (_, { answer }) => 'choices' in (answer.body as JsonObject) });
    const timing = await judged({ check: (_, { answer }) => answer.timing.first_content_ms === null });
    expect([hit.passed, body.passed, timing.passed]).toEqual([true, true, true]);
    const miss = (_: Json, { answer }: RuleInput) => answer.headers['x-cache'] === 'MISS';
    expect((await judged({ check: miss })).class).toBe('rule_violation');
    expect((await judged({ check: miss, class: 'ineffective' })).class).toBe('ineffective');
    const chunks = [{ choices: [{ delta: { content: 'Hi.' } }] }, { choices: [{ delta: {}, finish_reason: 'stop' }] }];
    const streamed = (wanted: number) =>
      judge(chunks, {
        request: aRequest({ stream: true }),
        expect: { rules: [{ id: 'own', check: (_, { answer }) => answer.chunks?.length === wanted }] },
      });
    expect([streamed(2).passed, streamed(3).class]).toEqual([true, 'rule_violation']);
  });

  test("a rule that gives a promise is told so, and its failure is nobody else's", () => {
    const check = () => Promise.reject(new Error('later')) as unknown as boolean;
    const given = { request: aRequest(), expect: { rules: [{ id: 'sum', check }] } };
    const judged = judge(JSON.parse(aCompletion()) as unknown, given);
    expect(judged.violations).toMatchObject([{ at: 'sum', message: expect.stringContaining('a promise') as string }]);
  });

  test.each([[{ type: 'text' }], [{ $ref: '#/$defs/nowhere' }], [7], ['{}']])(
    'a schema of the program that cannot be used is its mistake, not a fault: %j',
    (unusable) => {
      const given = { request: aRequest(structured), expect: { schema: unusable as Json } };
      expect(() => judge(JSON.parse(aCompletion()) as unknown, given)).toThrow(/^`expect.schema` cannot be used: /);
      expect(() => judge(JSON.parse(aCompletion()) as unknown, given)).toThrow(TypeError);
    },
  );

  test('a rule in JSONata is a mistake of the program, never a verdict', () => {
    const rules = [{ id: 'sum', assert: 'value.total = 3' }] as never;
    expect(() => judge({ choices: [] }, { request: {}, expect: { rules } })).toThrow(/JSONata .* 'chatspec'/);
  });
});

describe('a mistake of the program is told, since it would pass any answer', () => {
  const prose = JSON.parse(aCompletion({ message: { content: 'Sure!' } })) as object;

  test('the text of the body is read, and what is no object is refused', () => {
    const judged = (request: unknown) => judge(prose, { request: request as object });
    expect(judged(JSON.stringify(aRequest(structured))).class).toBe('not_json');
    for (const request of ['', 'Sure!', '[]', 'null', [], null, 7, undefined]) {
      expect(() => judged(request)).toThrow(/^`request` is (missing|no object)/);
    }
    for (const request of ['', [], null]) {
      expect(() => judge(anExchange(aRequest()), { request: request as object })).toThrow(TypeError);
    }
  });

  test.each<readonly [string, object, RegExp]>([
    ['an option', { expects: {} }, /"expects".*\bexpect\b/],
    ['a part of expect', { expect: { rule: [] } }, /`expect`.*"rule".*rules/],
    ['a part of expect in the plural', { expect: { contents: 'json' } }, /"contents".*content/],
  ])('%s that does not exist', (_what, more, message) => {
    expect(() => judge(prose, { request: aRequest(), ...more })).toThrow(message);
    expect(() => judge(anExchange(aRequest()), more)).toThrow(TypeError);
  });
});

describe('the advice', () => {
  const zero = { ...structured, temperature: 0 };
  test.each<readonly [string, Judgement, object]>([
    ['wrong output', of({ content: 'Sure!' }), { step: 'lower_temperature', again: true, changes: { temperature: 0 } }],
    [
      'wrong output without randomness',
      of({ content: 'Sure!' }, zero),
      { step: 'other_form', again: false, other_forms: ['tool_call', 'json_object'] },
    ],
    ['wrong text without randomness', of({ content: '' }, { temperature: 0 }), { step: 'never', again: false }],
    [
      'cut at a cap',
      of({ content: '{' }, { ...structured, max_completion_tokens: 12 }, 'length'),
      { step: 'larger_max_tokens', again: true, changes: { max_completion_tokens: 24 } },
    ],
    [
      'cut short of its cap: a larger one gives no more room',
      of({ content: '{' }, { ...structured, max_completion_tokens: 50 }, 'length'),
      { step: 'change_request', again: false, changes: {} },
    ],
    ['cut without a cap', of({ content: '{' }, structured, 'length'), { changes: { max_tokens: 24 } }],
    [
      'empty, and reasoning took the tokens',
      of({ content: '', reasoning_content: 'Hm.' }, { ...structured, max_tokens: 8 }),
      { step: 'larger_max_tokens', changes: { max_tokens: 16 } },
    ],
    ['empty though the form was accepted', of({ content: '' }), { step: 'other_form', again: false }],
    ['filtered', of({ content: '' }, structured, 'content_filter'), { step: 'never' }],
    [
      'text in place of an optional call that was announced',
      of({ content: '' }, { tools: [tool('a')] }, 'tool_calls'),
      { step: 'change_request', again: true, changes: { tool_choice: 'required' } },
    ],
    ['a wrong key', refused(401, { message: 'Incorrect API key' }), { step: 'never', again: false }],
    ['a used-up quota', refused(429, { code: 'insufficient_quota', message: 'quota' }), { step: 'never' }],
    [
      'a rate limit',
      refused(429, { message: 'Rate limit reached' }, structured, { 'Retry-After': '7' }),
      { step: 'retry', again: true, after_seconds: 7, changes: {} },
    ],
    ['a crash', refused(500, { message: 'oops' }), { step: 'retry', after_seconds: null }],
    [
      'the word json',
      refused(400, { message: "'messages' must contain the word 'json' in some form" }),
      { step: 'change_request', again: true, changes: { messages: [{ role: 'system' }, { role: 'user' }] } },
    ],
    [
      'the object form while thinking',
      refused(400, { message: 'tool_choice is incompatible with thinking' }, named),
      { step: 'change_request', again: true, changes: { tool_choice: 'required', tools: [tool('b')] } },
    ],
    ['an answer that passes', of({ content: '{"total":1}' }), { step: 'none', again: false, advice: 'Use the value.' }],
  ])('for %s', (_what, { retry }, expected) => {
    expect(retry).toMatchObject(expected);
    expect(retry.advice).toMatch(/\S/);
  });

  test('a schema that cannot be checked is no failure of the model', () => {
    const broken = { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'text' } } } };
    expect(of({ content: '{}' }, broken)).toMatchObject({ class: null, fault: true, retry: { step: 'never' } });
  });
});

test('neither the detail nor the log holds a key that the service quotes', () => {
  const key = 'sk-abcdef1234567890';
  const judged = refused(401, { message: `Incorrect API key provided: ${key}.` }, {}, { 'x-request-id': key });
  expect(judged.detail).toContain('Incorrect API key provided');
  expect(JSON.stringify([judged.detail, judged.log])).not.toContain(key);
});

test('nothing but the value and the reply holds a key that a rule quotes', () => {
  const key = 'sk-abcdef1234567890';
  const check = (): boolean => {
    throw new Error(`no order of ${key}`);
  };
  const given = { request: aRequest(), expect: { rules: [{ id: 'sum', check, message: `asked with ${key}` }] } };
  const judged = judge(JSON.parse(aCompletion()) as unknown, given);
  expect(judged.violations).toMatchObject([{ at: 'sum' }]);
  expect(judged.violations[0]?.message).toContain('no order of');
  expect(JSON.stringify(judged)).not.toContain(key);
  const type = { [key]: { type: key } };
  const format = { type: 'json_schema', json_schema: { name: 'x', schema: { properties: type } } };
  const broken = of({ content: '{}' }, { response_format: format });
  expect([broken.fault, JSON.stringify(broken).includes(key)]).toEqual([true, false]);
});

describe('errors', () => {
  const judged = (error: object) => judge(error, { request: aRequest() });
  const error = (message: string, more: object = {}) => Object.assign(new Error(message), more);

  test.each<readonly [string, object, object]>([
    [
      'of a status, with a parsed body',
      error('400 bad', {
        status: 400,
        headers: new Headers({ traceresponse: 't' }),
        error: { message: 'bad', param: 'top_k' },
      }),
      { class: 'http_error', status: 400, reason: 'parameter_rejected', log: { traceresponse: 't', http_status: 400 } },
    ],
    ['of a status, with a page', error('502 <html><h1>Bad Gateway</h1>', { status: 502 }), { reason: 'gateway' }],
    ['without a body', error('503 status code (no body)', { status: 503 }), { reason: 'overloaded', status: 503 }],
    [
      'with the body as text',
      error('x', { statusCode: 429, responseBody: '{"error":{"message":"slow"}}' }),
      { status: 429 },
    ],
    ['inside a stream', error('x', { error: { message: 'overloaded' } }), { class: 'malformed_response', status: 200 }],
    [
      'of a refused connection',
      error('fetch failed', { cause: error('x', { code: 'ECONNREFUSED' }) }),
      { class: 'transport', detail: 'fetch failed: x' },
    ],
    [
      'of a time limit',
      new DOMException('The operation timed out.', 'TimeoutError'),
      { class: 'transport', fault: true },
    ],
    [
      'of a completion that was cut',
      error('Could not parse response content as the length limit was reached'),
      { class: 'truncated' },
    ],
  ])('%s', (_what, given, expected) => {
    expect(judged(given)).toMatchObject(expected);
  });

  test.each([
    ['of fetch', new DOMException('This operation was aborted', 'AbortError')],
    ['of openai', error('Request was aborted.', {})],
    ['of undici', error('x', { code: 'UND_ERR_ABORTED' })],
  ])('that the application itself aborted, %s: nothing is worth sending again', (_what, given) => {
    const { class: name, fault, retry } = judged(given);
    expect({ name, fault }).toEqual({ name: 'transport', fault: true });
    expect(retry).toMatchObject({ step: 'never', again: false });
    expect(retry.advice).toMatch(/the application itself/);
    expect(retry.advice).not.toMatch(/[Rr]etry|Send/);
  });

  test.each([
    ['AbortSignal.timeout', new DOMException('The operation was aborted due to timeout', 'TimeoutError')],
    ['openai', error('Request timed out.', {})],
    [
      'Node, which says why it aborted',
      Object.assign(new Error('aborted', { cause: new DOMException('x', 'TimeoutError') }), { name: 'AbortError' }),
    ],
  ])('of a time limit are worth repeating: %s', (_what, given) => {
    expect(judged(given).retry).toMatchObject({ step: 'retry', again: true });
  });

  test('of the program are thrown again', () => {
    const mistake = new RangeError('Invalid array length');
    expect(() => judged(mistake)).toThrow(mistake);
  });
});

test('a response whose body was read is no empty answer, and a promise is waited for', async () => {
  const response = new Response(aCompletion());
  await response.text();
  await expect(judge(response, { request: aRequest() })).rejects.toThrow('has been read');
  const broken = new ReadableStream({ start: (controller) => controller.error(new TypeError('terminated')) });
  expect(await judge(Promise.resolve(new Response(broken)), { request: aRequest() })).toMatchObject({
    ...{ class: 'transport', status: 200, detail: 'the body broke off: terminated' },
  });
});

test('a body that the application stopped reading is not asked for again', async () => {
  const stopped = new DOMException('This operation was aborted', 'AbortError');
  const body = new ReadableStream({ start: (controller) => controller.error(stopped) });
  const { retry } = await judge(new Response(body), { request: aRequest() });
  expect(retry).toMatchObject({ step: 'never', again: false });
});

test('a recorded exchange is judged as in a run, with or without an explicit expectation', () => {
  const body = aRequest(structured);
  const exchange = anExchange(body, { body: [aCompletion({ message: { content: '{"total":"x"}' } })] });
  const expectation = anExpectation({ content: 'json', schema });
  const values = { vars: {}, request: body, steps: {} };
  const outcome = judgeInRun(exchange, expectation, values);
  expect(outcome.class).toBe('schema_violation');
  expect(judge(exchange, { ...expectation, rules: [] }, values)).toEqual(outcome);
  const { log, retry, ...rest } = judge(exchange, {});
  expect(rest).toEqual(outcome);
  expect([log.request_path, log.request_time, retry.step]).toEqual([
    '/v1/chat/completions',
    '2026-11-20T08:00:00.000Z',
    'lower_temperature',
  ]);
});

/** A 429 is load, whatever its words: a fault to ask again, also where nobody can say which limit it was. */
test.each([
  ['Baki tidak mencukupi untuk permintaan ini.', 'unknown'],
  ['Ανεπαρκές υπόλοιπο.', 'unknown'],
  ['Please slow down a little.', 'rate_limited'],
])('a 429 that says %j is load of reason %s', (message, reason) => {
  expect(refused(429, { message })).toMatchObject({ class: 'http_error', reason, fault: true, retry: { again: true } });
});
