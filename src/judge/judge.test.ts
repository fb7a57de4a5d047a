import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calling, completion, judged, type Judged } from '../../test/support/judged.js';
import type { JsonObject } from '../json/json.js';
import type { Expectation } from './expectation.js';
import { asFinding } from './judge.js';
import { outcomeClasses, type Outcome } from './outcome.js';

const order = {
  type: 'object',
  properties: { buyer: { type: 'string' }, total: { type: 'number' } },
  required: ['buyer', 'total'],
  additionalProperties: false,
};
const tools = [
  { type: 'function', function: { name: 'create_order', parameters: order } },
  { type: 'function', function: { name: 'now', parameters: { type: 'object', properties: {} } } },
];
const good = '{"buyer":"Li Lei","total":897}';
const asJson: Partial<Expectation> = { content: 'json', schema: order };
const anyCall: Partial<Expectation> = { toolCall: { kind: 'any' } };
const named: Partial<Expectation> = { toolCall: { kind: 'named', name: 'create_order' } };
const optional: Partial<Expectation> = { toolCall: { kind: 'optional' } };
const json = (content: string | null, more: JsonObject = {}): Judged => ({
  expect: asJson,
  message: { content, ...more },
});
const call = (message: JsonObject, expect = named, request: JsonObject = {}): Judged => ({
  message,
  expect,
  request: { tools, ...request },
});
const facts = ({ passed, class: kind, rung, fault }: Outcome): unknown => ({ passed, class: kind, rung, fault });

type Row = readonly [what: string, judged: Judged, kind: Outcome['class'], rung: Outcome['rung'], detail: RegExp];

const rows: readonly Row[] = [
  ['text', {}, null, 'correct', /^$/],
  [
    'no answer',
    { answer: { status: null, failure: { kind: 'dns', message: 'no such host' } } },
    'transport',
    null,
    /no such host/,
  ],
  [
    'a body cut in the middle',
    { answer: { failure: { kind: 'connection_reset', message: 'reset' } } },
    'transport',
    null,
    /reset/,
  ],
  [
    '400',
    { answer: { status: 400, body: ['{"error":{"message":"max_tokens: no"}}'] } },
    'http_error',
    null,
    /HTTP 400: max_tokens: no/,
  ],
  ['no choices', { answer: { body: ['{"choices":null}'] } }, 'malformed_response', 'accepted', /choices is null/],
  [
    'an error object',
    { answer: { body: ['{"error":{"message":"boom"}}'] } },
    'malformed_response',
    'accepted',
    /an error inside a 200: boom/,
  ],
  [
    'a stream nobody asked for',
    { answer: { body: [`data: ${completion({}).replace('"message"', '"delta"')}\n\ndata: [DONE]\n\n`] } },
    'malformed_response',
    'accepted',
    /did not ask/,
  ],
  ['length', { finish: 'length' }, 'truncated', 'accepted', /3 completion tokens/],
  ['length with bad JSON', { ...json('{"buyer":'), finish: 'length' }, 'truncated', 'accepted', /cut/],
  ['length without a call', { ...call({ content: '' }, anyCall), finish: 'length' }, 'truncated', 'accepted', /length/],
  ['length by another name', { finish: 'MAX_TOKENS' }, 'truncated', 'accepted', /MAX_TOKENS/],
  [
    'length with reasoning',
    {
      message: { content: '' },
      finish: 'length',
      usage: {
        prompt_tokens: 6,
        completion_tokens: 20,
        total_tokens: 26,
        completion_tokens_details: { reasoning_tokens: 20 },
      },
      request: { max_tokens: 20 },
    },
    'truncated',
    'accepted',
    /went to reasoning.*cap of 20, 20 of them/,
  ],
  [
    'content_filter',
    { finish: 'content_filter', message: { content: null } },
    'filtered',
    'accepted',
    /content_filter/,
  ],
  [
    'another finish_reason than named',
    { expect: { finishReasons: ['tool_calls'] } },
    'unexpected_finish_reason',
    'accepted',
    /is stop; expected tool_calls/,
  ],
  [
    'none where one is named',
    { finish: null, expect: { finishReasons: ['stop'] } },
    'unexpected_finish_reason',
    'accepted',
    /missing/,
  ],
  ['length where length is named', { finish: 'length', expect: { finishReasons: ['length'] } }, null, 'correct', /^$/],
  ['a refusal', json(null, { refusal: 'I cannot.' }), 'refused', 'complete', /I cannot/],
  ['empty', { message: { content: '' } }, 'empty_content', 'complete', /empty/],
  ['null', { message: { content: null } }, 'empty_content', 'complete', /null/],
  ['white space', { message: { content: ' \n\u200B' } }, 'empty_content', 'complete', /white space/],
  ['only thoughts', { message: { content: '<think>hm</think>\n' } }, 'empty_content', 'complete', /<think>/],
  [
    'JSON in the reasoning',
    json('', { reasoning_content: good }),
    'empty_content',
    'complete',
    /JSON stands in the reasoning/,
  ],
  [
    'empty after reasoning',
    { message: { content: '' }, usage: { prompt_tokens: 5, completion_tokens: 0, total_tokens: 25 } },
    'empty_content',
    'complete',
    /20 further tokens/,
  ],
  ['bare JSON', json(good), null, 'correct', /^$/],
  ['fenced JSON', json(`\`\`\`json\n${good}\n\`\`\``), 'not_json', 'present', /fence/],
  ['a fence amid words', json(`Sure:\n\`\`\`json\n${good}\n\`\`\`\nDone.`), 'not_json', 'present', /fence/],
  ['JSON behind thoughts', json(`<think>hm {}</think>${good}`), 'not_json', 'present', /<think>/],
  ['JSON in prose', json(`Here it is: ${good}`), 'not_json', 'present', /surrounded/],
  ['JSON with a word after it', json(`${good} Done.`), 'not_json', 'present', /surrounded/],
  ['encoded twice', json(JSON.stringify(good)), 'not_json', 'present', /twice/],
  ['JSON that breaks off', json('{"buyer":"Li'), 'not_json', 'present', /breaks off/],
  [
    'JSON that breaks off at the cap',
    { ...json('{"buyer":"Li'), request: { max_tokens: 3 } },
    'truncated',
    'accepted',
    /cap of 3/,
  ],
  ['two documents', json(`${good}\n${good}`), 'not_json', 'present', /several/],
  ['prose', json('Certainly!'), 'not_json', 'present', /no JSON/],
  ['a missing member', json('{"buyer":"Li Lei"}'), 'schema_violation', 'parses', /total/],
  ['a member too many', json('{"buyer":"Li Lei","total":1,"x":1}'), 'schema_violation', 'parses', /x/],
  [
    'a member named __proto__',
    json('{"buyer":"Li Lei","total":1,"__proto__":{}}'),
    'schema_violation',
    'parses',
    /__proto__/,
  ],
  [
    'an array where an object is due',
    { message: { content: '[1]' }, expect: { content: 'object' } },
    'schema_violation',
    'parses',
    /must be object/,
  ],
  [
    'a schema that cannot be used',
    { message: { content: '{}' }, expect: { content: 'json', schema: { type: 'wat' } } },
    'schema_violation',
    'parses',
    /could not be checked/,
  ],
  [
    'a string that is due as a string',
    { message: { content: '"yes"' }, expect: { content: 'json', schema: { type: 'string' } } },
    null,
    'correct',
    /^$/,
  ],
  ['a call', call(calling(['create_order', good])), null, 'correct', /^$/],
  [
    'a call beside text that is no JSON',
    { ...call(calling(['create_order', good])), expect: { ...optional, ...asJson } },
    null,
    'correct',
    /^$/,
  ],
  ['text where a call may come', call({ content: 'Hello.' }, optional), null, 'correct', /^$/],
  ['text where a call must come', call({ content: 'Hello.' }, anyCall), 'missing_tool_call', 'complete', /text came/],
  ['nothing where a call must come', call({ content: '' }, anyCall), 'missing_tool_call', 'complete', /neither/],
  [
    'an empty list',
    { ...call({ content: 'x', tool_calls: [] }, anyCall), finish: 'tool_calls' },
    'missing_tool_call',
    'complete',
    /list of calls is empty/,
  ],
  [
    'the retired field',
    call({ content: null, function_call: { name: 'create_order', arguments: good } }, anyCall),
    'missing_tool_call',
    'complete',
    /function_call/,
  ],
  [
    'the retired field where a call may come',
    call({ content: null, function_call: { name: 'create_order', arguments: good } }, optional),
    'missing_tool_call',
    'complete',
    /function_call/,
  ],
  [
    'a call in the reasoning',
    call({ content: '', reasoning_content: '<tool_call>{"name":"create_order","arguments":{}}</tool_call>' }, optional),
    'missing_tool_call',
    'complete',
    /reasoning/,
  ],
  ['a name in JSON that is no tool', call({ content: '{"name":"Li Lei","input":1}' }, optional), null, 'correct', /^$/],
  ['a call where none may come', call(calling(['now', '{}']), {}), 'unexpected_tool_call', 'complete', /now/],
  [
    'an undeclared function',
    call(calling(['drop_table', '{}']), anyCall),
    'wrong_function',
    'complete',
    /does not declare/,
  ],
  ['the other function', call(calling(['now', '{}'])), 'wrong_function', 'complete', /now instead of create_order/],
  [
    'a second call of the other function',
    call(calling(['create_order', good], ['now', '{}'])),
    'wrong_function',
    'complete',
    /now/,
  ],
  ['a call without a name', call(calling([null, good])), 'wrong_function', 'complete', /without a function name/],
  ['arguments missing', call(calling(['create_order', ''])), 'missing_tool_call', 'complete', /without arguments/],
  ['arguments null', call(calling(['create_order', null])), 'missing_tool_call', 'complete', /without arguments/],
  ['arguments cut', call(calling(['create_order', '{"buyer":"Li'])), 'not_json', 'present', /breaks off/],
  [
    'arguments cut by the cap',
    call(calling(['create_order', '{"buyer":"Li']), named, { max_tokens: 3 }),
    'truncated',
    'accepted',
    /cap/,
  ],
  ['arguments encoded twice', call(calling(['create_order', JSON.stringify(good)])), 'not_json', 'present', /twice/],
  ['arguments as an array', call(calling(['create_order', [1]])), 'not_json', 'present', /an array/],
  [
    'arguments that parse to an array',
    call(calling(['create_order', '[1]'])),
    'schema_violation',
    'parses',
    /must be object/,
  ],
  [
    'arguments that break the parameters',
    call(calling(['create_order', '{"buyer":1,"total":1}'])),
    'schema_violation',
    'parses',
    /\/buyer must be string/,
  ],
  [
    'a second call that breaks them',
    call(calling(['create_order', good], ['create_order', '{}'])),
    'schema_violation',
    'parses',
    /and 1 more/,
  ],
  [
    'arguments that break the schema of the suite',
    call(calling(['create_order', good]), { ...named, schema: { properties: { total: { maximum: 1 } } } }),
    'schema_violation',
    'parses',
    /total/,
  ],
  [
    'a false rule',
    { ...json(good), expect: { ...asJson, rules: [{ id: 'total', assert: 'value.total = 1' }] } },
    'rule_violation',
    'conforms',
    /rule total/,
  ],
  [
    'a true rule',
    { ...json(good), expect: { ...asJson, rules: [{ id: 'total', assert: 'value.total = 897' }] } },
    null,
    'correct',
    /^$/,
  ],
  ['streaming without effect', { request: { stream: true } }, 'ineffective', 'correct', /one piece/],
];

describe('the ladder', () => {
  it.each(rows)('%s', async (_what, given, kind, rung, detail) => {
    const outcome = await judged(given);
    expect({ passed: outcome.passed, class: outcome.class, rung: outcome.rung }).toEqual({
      passed: kind === null,
      class: kind,
      rung,
    });
    expect(outcome.detail ?? '').toMatch(detail);
  });

  it('gives the value that rules and later steps see', async () => {
    expect((await judged({})).value).toBe('Hello.');
    expect((await judged(json(good))).value).toEqual({ buyer: 'Li Lei', total: 897 });
    expect((await judged(call(calling(['create_order', good])))).value).toEqual({ buyer: 'Li Lei', total: 897 });
    expect((await judged(json('no'))).value).toBeUndefined();
  });

  it('lists all violations', async () => {
    const outcome = await judged(json('{"buyer":1,"x":2}'));
    expect(outcome.violations).toHaveLength(3);
  });
});

describe('calls written as text', () => {
  it.each([
    '<tool_call>{"name":"create_order","arguments":{}}</tool_call>',
    '<tool_call>\n<function=create_order>\n<parameter=total>1</parameter></function></tool_call>',
    '<|channel|>commentary to=functions.create_order<|message|>{}',
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.create_order:0<|tool_call_argument_begin|>{}',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>create_order\n```json\n{}\n```',
    '[TOOL_CALLS][{"name":"create_order","arguments":{}}]',
    '{"name":"create_order","arguments":{"total":1}}',
    '```json\n{"name":"create_order","parameters":{}}\n```',
    '[{"type":"function","function":{"name":"create_order","arguments":"{}"}}]',
    '<invoke name="create_order"><parameter name="total">1</parameter></invoke>',
  ])('%s', async (content) => {
    for (const expectation of [anyCall, optional]) {
      const outcome = await judged(call({ content }, expectation));
      expect(outcome.class).toBe('missing_tool_call');
      expect(outcome.detail).toMatch(/written as text into the content/);
    }
  });
});

describe('tolerated oddities', () => {
  it.each<readonly [string, Judged, string]>([
    ['stop with a call', call(calling(['create_order', good])), 'finish_reason_stop_with_tool_call'],
    [
      'no arguments where none are needed',
      { ...call(calling(['now', '']), anyCall), finish: 'tool_calls' },
      'arguments_empty',
    ],
    [
      'the text null where none are needed',
      { ...call(calling(['now', 'null']), anyCall), finish: 'tool_calls' },
      'arguments_empty',
    ],
    [
      'an object of arguments',
      { ...call(calling(['create_order', { buyer: 'A', total: 1 }])), finish: 'tool_calls' },
      'arguments_object',
    ],
    ['an unknown finish_reason', { finish: 'done' }, 'unknown_finish_reason'],
    ['no finish_reason', { finish: null }, 'finish_reason_missing'],
    [
      'a call without an id',
      { ...call({ tool_calls: [{ function: { name: 'create_order', arguments: good } }] }), finish: 'tool_calls' },
      'missing_tool_call_id',
    ],
    ['tool_calls without a call', { finish: 'tool_calls' }, 'finish_reason_tool_calls_without_call'],
    ['a member twice', json('{"buyer":"A","buyer":"B","total":1}'), 'duplicate_keys'],
    [
      'a large integer',
      { message: { content: '9007199254740993' }, expect: { content: 'json' } },
      'integer_beyond_2_53',
    ],
    ['thoughts before text', { message: { content: '<think>hm</think>Hello.' } }, 'think_tags_in_content'],
    ['stray markup', { message: { content: '<tool_call> what?' } }, 'tool_call_markup_in_content'],
    ['no usage', { usage: null }, 'usage_missing'],
  ])('%s', async (_what, given, quirk) => {
    const outcome = await judged(given);
    expect({ passed: outcome.passed, quirks: outcome.quirks }).toEqual({ passed: true, quirks: [quirk] });
  });
});

describe('faults', () => {
  const http = (status: number, body = ''): Judged => ({ answer: { status, body: [body] } });
  it.each<readonly [string, Judged, boolean]>([
    ['401', http(401), true],
    ['402', http(402), true],
    ['403', http(403), true],
    ['429', http(429), true],
    ['500', http(500), true],
    ['503', http(503, '<html></html>'), true],
    ['400', http(400, '{"error":{"message":"max_tokens"}}'), false],
    ['404', http(404, '{"error":{"message":"m-1 not found"}}'), false],
    ['422', http(422), false],
    ['a key error in a 200', http(200, '{"base_resp":{"status_code":2049,"status_msg":"invalid api key"}}'), true],
    ['a rate limit in a 200', http(200, '{"error":{"code":429,"message":"slow down"}}'), true],
    ['another error in a 200', http(200, '{"error":{"code":500,"message":"boom"}}'), false],
    [
      'an unusable schema',
      { message: { content: '1' }, expect: { content: 'json', schema: { $ref: 'https://x.invalid/' } } },
      true,
    ],
  ])('%s', async (_what, given, fault) => {
    expect((await judged(given)).fault).toBe(fault);
  });

  it('a stream that was cut is one, an end after [DONE] is none', async () => {
    const chunk = `data: ${JSON.stringify({ id: 'c', model: 'm', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi' } }] })}\n\n`;
    const failure = { kind: 'connection_reset', message: 'reset' } as const;
    const request = { stream: true };
    expect(facts(await judged({ request, answer: { body: [chunk] } }))).toEqual({
      passed: false,
      class: 'transport',
      rung: 'accepted',
      fault: true,
    });
    expect(facts(await judged({ request, answer: { body: [chunk], failure } }))).toEqual({
      passed: false,
      class: 'transport',
      rung: null,
      fault: true,
    });
    const done = await judged({ request, answer: { body: [chunk, 'data: [DONE]\n\n'], failure } });
    expect(done).toMatchObject({ passed: true, quirks: ['cut_after_done', 'finish_reason_missing'] });
  });

  it('a repeated 5xx becomes a finding, nothing else does', async () => {
    expect(asFinding(await judged(http(500)))).toMatchObject({ fault: false, passed: false, class: 'http_error' });
    expect(asFinding(await judged(http(429)))).toMatchObject({ fault: true });
    const expected = await judged({ ...http(500), expect: { outcome: 'http_error' } });
    expect(expected).toMatchObject({ fault: true, passed: false });
    expect(asFinding(expected, { ...plainly, outcome: 'http_error' })).toMatchObject({ fault: false, passed: true });
  });
});

const plainly: Expectation = {
  ...{ toolCall: { kind: 'none' }, content: 'text', schema: null, finishReasons: null },
  ...{ rejected: null, outcome: null, rules: [], reasoning: null },
};

describe('expected failures', () => {
  const refused: Judged = {
    answer: { status: 400, body: ['{"error":{"message":"messages must contain the word json"}}'] },
    request: { response_format: { type: 'json_object' } },
  };
  const rejected = (more: Partial<NonNullable<Expectation['rejected']>>): Partial<Expectation> => ({
    rejected: { status: null, reason: null, only: false, ...more },
  });
  it.each<readonly [string, Judged, boolean, Outcome['class']]>([
    ['the refusal, by reason', { ...refused, expect: rejected({ reason: 'json_word_required' }) }, true, null],
    ['the refusal, by status', { ...refused, expect: rejected({ status: [400, 422] }) }, true, null],
    ['any refusal', { ...refused, expect: rejected({}) }, true, null],
    ['another reason', { ...refused, expect: rejected({ reason: 'schema_rejected' }) }, false, 'http_error'],
    ['another status', { ...refused, expect: rejected({ status: [422] }) }, false, 'http_error'],
    ['a good answer passes too', { expect: rejected({}) }, true, null],
    ['a good answer where only a refusal passes', { expect: rejected({ only: true }) }, false, 'ineffective'],
    [
      'a bad answer where only a refusal passes',
      { message: { content: '' }, expect: rejected({ only: true }) },
      false,
      'empty_content',
    ],
    ['a rate limit is not the refusal', { answer: { status: 429 }, expect: rejected({}) }, false, 'http_error'],
    ['a rate limit that was named', { answer: { status: 429 }, expect: rejected({ status: [429] }) }, true, null],
    ['truncated, as expected', { finish: 'length', expect: { outcome: 'truncated' } }, true, null],
    ['not truncated', { expect: { outcome: 'truncated' } }, false, 'unexpected_finish_reason'],
    [
      'truncated expected, empty found',
      { message: { content: '' }, expect: { outcome: 'truncated' } },
      false,
      'empty_content',
    ],
    ['not_json, as expected', { ...json('no'), expect: { ...asJson, outcome: 'not_json' } }, true, null],
    [
      'not_json expected, good found',
      { ...json(good), expect: { ...asJson, outcome: 'not_json' } },
      false,
      'ineffective',
    ],
  ])('%s', async (_what, given, passed, kind) => {
    expect(await judged(given)).toMatchObject({ passed, class: kind, fault: given.answer?.status === 429 && !passed });
  });
});

describe('the effect of thinking', () => {
  const present: Partial<Expectation> = { reasoning: 'present' };
  const absent: Partial<Expectation> = { reasoning: 'absent' };
  const usage = (completion: number, more: JsonObject = {}): JsonObject => ({
    prompt_tokens: 9,
    completion_tokens: completion,
    total_tokens: 9 + completion,
    ...more,
  });
  it.each<readonly [string, Judged, boolean]>([
    ['reasoning text', { message: { content: 'OK', reasoning_content: 'hm' } }, true],
    ['reasoning tokens', { usage: usage(20, { completion_tokens_details: { reasoning_tokens: 12 } }) }, true],
    ['tokens that only the total holds', { usage: usage(3, { total_tokens: 40 }) }, true],
    ['tokens beyond the text', { message: { content: 'OK' }, usage: usage(124) }, true],
    ['a <think> block', { message: { content: '<think>hm</think>OK' } }, true],
    ['an empty <think> block', { message: { content: '<think>\n\n</think>OK' } }, false],
    ['none', { message: { content: 'OK' }, usage: usage(2) }, false],
    ['none, said so', { usage: usage(3, { completion_tokens_details: { reasoning_tokens: 0 } }) }, false],
    ['none, with a long text', { message: { content: 'word '.repeat(400) }, usage: usage(420) }, false],
  ])('%s', async (_what, given, shows) => {
    expect((await judged({ ...given, expect: present })).class).toBe(shows ? null : 'ineffective');
    expect((await judged({ ...given, expect: absent })).class).toBe(shows ? 'ineffective' : null);
  });
});

it('gives an outcome for any bytes, cut anyhow', async () => {
  const statuses = fc.option(fc.constantFrom(100, 200, 204, 301, 400, 404, 429, 500, 503, 999), { nil: null });
  const body = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc.jsonValue().map((value) => JSON.stringify({ choices: [{ message: value, finish_reason: 'stop' }] })),
    fc.jsonValue().map((value) =>
      JSON.stringify({
        choices: [{ message: { content: value, tool_calls: [{ function: { name: 'now', arguments: value } }] } }],
      }),
    ),
    fc
      .jsonValue()
      .map(
        (value) =>
          `data: ${JSON.stringify({ choices: [{ delta: { content: value, tool_calls: value } }] })}\n\ndata: [DONE]\n\n`,
      ),
  );
  const expectations = fc.constantFrom(
    {},
    asJson,
    anyCall,
    optional,
    { reasoning: 'present' as const },
    { content: 'object' as const },
  );
  await fc.assert(
    fc.asyncProperty(statuses, fc.array(body), expectations, async (status, pieces, expectation) => {
      const outcome = await judged({ answer: { status, body: pieces }, expect: expectation, request: { tools } });
      expect(outcome.passed).toBe(outcome.class === null);
      if (outcome.class !== null) expect(outcomeClasses).toContain(outcome.class);
    }),
    { numRuns: 300 },
  );
}, 60_000);
