import { describe, expect, test } from 'vitest';
import { judged, type Judged } from '../../../test/support/judged.js';
import { aCompletion, callMessage } from '../../../test/support/build.js';
import { anyCall, asJson, call, good, json, named, optional } from '../../../test/support/orders.js';
import type { JsonObject } from '../../json/json.js';
import type { Outcome } from '../outcome.js';

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
    { answer: { body: [`data: ${aCompletion({}).replace('"message"', '"delta"')}\n\ndata: [DONE]\n\n`] } },
    'malformed_response',
    'accepted',
    /did not ask/,
  ],
  ['length', { finish: 'length' }, 'truncated', 'accepted', /12 completion tokens/],
  ['length with bad JSON', { ...json('{"buyer":'), finish: 'length' }, 'truncated', 'accepted', /cut/],
  ['length without a call', { ...call({ content: '' }, anyCall), finish: 'length' }, 'truncated', 'accepted', /length/],
  [
    'length short of the cap: the context window is full',
    {
      ...{ message: { content: 'One, two' }, finish: 'length', request: { max_tokens: 4096 } },
      usage: { prompt_tokens: 278, completion_tokens: 3818, total_tokens: 4096 },
    },
    'truncated',
    'accepted',
    /after 3818 completion tokens, short of the cap of 4096: a context window of 4096 tokens is full, or the service has a cap of its own$/,
  ],
  [
    'length without a cap',
    { finish: 'length', usage: { prompt_tokens: 63, completion_tokens: 4033, total_tokens: 4096 } },
    'truncated',
    'accepted',
    /after 4033 completion tokens, and the request sets no cap: a context window of 4096 tokens is full/,
  ],
  [
    'length at the cap, with reasoning that only the total counts',
    {
      ...{ message: { content: '' }, finish: 'length', request: { max_tokens: 100 } },
      usage: { prompt_tokens: 10, completion_tokens: 20, total_tokens: 110 },
    },
    'truncated',
    'accepted',
    /went to reasoning.*a cap of 100, 80 further tokens/,
  ],
  [
    'length without a usage',
    { finish: 'length', usage: null, request: { max_tokens: 2048 } },
    'truncated',
    'accepted',
    /finish_reason is length with a cap of 2048$/,
  ],
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
  [
    'an empty content beside brackets in the reasoning',
    json('', { reasoning_content: 'first [1] of them' }),
    'empty_content',
    'complete',
    /; JSON stands in the reasoning/,
  ],
  ['bare JSON', json(good), null, 'correct', /^$/],
  ['fenced JSON', json(`\`\`\`json\n${good}\n\`\`\``), 'not_json', 'present', /fence/],
  ['a fence amid words', json(`Sure:\n\`\`\`json\n${good}\n\`\`\`\nDone.`), 'not_json', 'present', /fence/],
  ['JSON behind thoughts', json(`<think>hm {}</think>${good}`), 'not_json', 'present', /<think>/],
  ['JSON in prose', json(`Here it is: ${good}`), 'not_json', 'present', /surrounded/],
  ['a byte order mark before JSON', json(`\ufeff${good}`), 'not_json', 'present', /a byte order mark \(U\+FEFF\)/],
  ['JSON behind a no-break space', json(` \u00a0${good}`), 'not_json', 'present', /white space that .*\(U\+00A0\)/],
  ['JSON with a word after it', json(`${good} Done.`), 'not_json', 'present', /surrounded/],
  [
    'encoded twice',
    json(JSON.stringify(good)),
    'schema_violation',
    'parses',
    /the content is a JSON string that contains JSON: it was encoded twice/,
  ],
  ['encoded three times', json(JSON.stringify(JSON.stringify(good))), 'schema_violation', 'parses', /twice/],
  [
    'encoded twice where only an object is asked for',
    { message: { content: JSON.stringify(good) }, expect: { content: 'object' } },
    'schema_violation',
    'parses',
    /encoded twice/,
  ],
  ['a JSON string that contains no JSON', json('"Li Lei"'), 'schema_violation', 'parses', /must be object/],
  [
    'encoded twice where the schema wants a string',
    { message: { content: JSON.stringify(good) }, expect: { content: 'json', schema: { type: 'string' } } },
    null,
    'correct',
    /^$/,
  ],
  [
    'a string with JSON in it that breaks a pattern',
    { message: { content: '"[1]"' }, expect: { content: 'json', schema: { type: 'string', pattern: '^a' } } },
    'schema_violation',
    'parses',
    /must match its pattern/,
  ],
  ['JSON that breaks off', json('{"buyer":"Li'), 'not_json', 'present', /breaks off/],
  [
    'JSON that breaks off at the cap',
    { ...json('{"buyer":"Li'), request: { max_tokens: 3 } },
    'truncated',
    'accepted',
    /cap of 3/,
  ],
  [
    'JSON with a piece missing, so that a text in it is never closed',
    json('{"buyer":"Li Lei,"total":897,"currency":"USD"}'),
    'not_json',
    'present',
    /^the content is JSON that is broken in the middle: .* position 18/,
  ],
  ['JSON that breaks off in a word', json('{"buyer":nu'), 'not_json', 'present', /breaks off/],
  ['JSON that breaks off in an escape', json('{"buyer":"Li\\u00'), 'not_json', 'present', /breaks off/],
  ['two documents', json(`${good}\n${good}`), 'not_json', 'present', /several/],
  ['prose', json('Certainly!'), 'not_json', 'present', /not JSON/],
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
    'a string that is due as a string',
    { message: { content: '"yes"' }, expect: { content: 'json', schema: { type: 'string' } } },
    null,
    'correct',
    /^$/,
  ],
  ['a call', call(callMessage(['create_order', good])), null, 'correct', /^$/],
  [
    'a call with text that is not JSON',
    { ...call(callMessage(['create_order', good])), expect: { ...optional, ...asJson } },
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
  ['a call where none is allowed', call(callMessage(['now', '{}']), {}), 'unexpected_tool_call', 'complete', /now/],
  [
    'an undeclared function',
    call(callMessage(['drop_table', '{}']), anyCall),
    'wrong_function',
    'complete',
    /does not declare/,
  ],
  [
    'the other function',
    call(callMessage(['now', '{}'])),
    'wrong_function',
    'complete',
    /^called "now" instead of "create_order"$/,
  ],
  [
    'a second call of the other function',
    call(callMessage(['create_order', good], ['now', '{}'])),
    'wrong_function',
    'complete',
    /now/,
  ],
  ['a call without a name', call(callMessage([null, good])), 'wrong_function', 'complete', /without a function name/],
  [
    'a name that ends in a blank',
    call(callMessage(['create_order ', good]), anyCall),
    'wrong_function',
    'complete',
    /^called "create_order ", which the request does not declare$/,
  ],
  [
    'a call that was not allowed',
    call(callMessage(['now ', '{}']), { toolCall: { kind: 'none' } }),
    'unexpected_tool_call',
    'complete',
    /: "now "$/,
  ],
  [
    'arguments missing',
    call(callMessage(['create_order', ''])),
    'missing_tool_call',
    'complete',
    /^the call of "create_order" came without arguments/,
  ],
  ['arguments null', call(callMessage(['create_order', null])), 'missing_tool_call', 'complete', /without arguments/],
  [
    'arguments cut',
    call(callMessage(['create_order', '{"buyer":"Li'])),
    'not_json',
    'present',
    /^"create_order": .*breaks off/,
  ],
  [
    'arguments cut by the cap',
    call(callMessage(['create_order', '{"buyer":"Li']), named, { max_tokens: 3 }),
    'truncated',
    'accepted',
    /cap/,
  ],
  [
    'arguments encoded twice',
    call(callMessage(['create_order', JSON.stringify(good)])),
    'schema_violation',
    'parses',
    /the arguments of "create_order" are a JSON string that contains JSON: they were encoded twice/,
  ],
  ['arguments as an array', call(callMessage(['create_order', [1]])), 'not_json', 'present', /an array/],
  [
    'arguments that parse to an array',
    call(callMessage(['create_order', '[1]'])),
    'schema_violation',
    'parses',
    /must be object/,
  ],
  [
    'arguments that break the parameters',
    call(callMessage(['create_order', '{"buyer":1,"total":1}'])),
    'schema_violation',
    'parses',
    /\/buyer must be string/,
  ],
  [
    'a second call that breaks them',
    call(callMessage(['create_order', good], ['create_order', '{}'])),
    'schema_violation',
    'parses',
    /and 1 more/,
  ],
  [
    'arguments that break the schema of the suite',
    call(callMessage(['create_order', good]), { ...named, schema: { properties: { total: { maximum: 1 } } } }),
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
  [
    'a content that is an object',
    { message: { content: { a: 1 } } },
    'empty_content',
    'complete',
    /^the content is an object, where a string belongs/,
  ],
  [
    'a content that is a number, where JSON is wanted',
    { message: { content: 7 }, expect: asJson },
    'empty_content',
    'complete',
    /^the content is a number, where a string belongs/,
  ],
  [
    'a completion with other text behind it',
    { answer: { body: [`${aCompletion({})}\n{"ok":true}`] } },
    'malformed_response',
    'accepted',
    /^the body is a completion with other text behind it: \{"ok":true\}$/,
  ],
  ['streaming without effect', { request: { stream: true } }, 'ineffective', 'correct', /one piece/],
];

describe('a stream of which a chunk is lost or comes twice', () => {
  const head = '"id":"c","object":"chat.completion.chunk","created":1,"model":"m"';
  const chunk = (content: string, finish: string | null = null): string =>
    `data: {${head},"choices":[{"index":0,"delta":${JSON.stringify({ content })},"finish_reason":${JSON.stringify(finish)}}]}\n\n`;
  const pieces = ['{"buyer":"Li', ' Lei","to', 'tal":897}'];
  const outcomeOf = (parts: readonly string[]) =>
    judged({
      ...{ expect: asJson, request: { stream: true } },
      answer: { body: [[...parts.map((part) => chunk(part)), chunk('', 'stop'), 'data: [DONE]\n\n'].join('')] },
    });

  test.each([
    ['lost', [pieces[0]!, pieces[2]!]],
    ['lost, so that a text is never closed', ['{"buyer":"Li', ' Lei', ',"total":897}']],
    ['twice', [pieces[0]!, pieces[1]!, pieces[1]!, pieces[2]!]],
  ])('%s', (_what, parts) => {
    expect(outcomeOf(pieces).passed).toBe(true);
    const { class: outcome, detail } = outcomeOf(parts);
    expect(outcome).toBe('not_json');
    expect(detail).toMatch(
      /^the content is JSON that is broken in the middle, as when a chunk is lost or comes twice: /,
    );
  });
});

describe('the ladder', () => {
  test.each(rows)('%s', (_what, given, kind, rung, detail) => {
    const outcome = judged(given);
    expect({ passed: outcome.passed, class: outcome.class, rung: outcome.rung }).toEqual({
      passed: kind === null,
      class: kind,
      rung,
    });
    expect(outcome.detail ?? '').toMatch(detail);
  });

  const explosive: JsonObject = { type: 'object', properties: { buyer: { pattern: '^(a+)+$' } }, required: ['total'] };
  const fuse = `{"buyer":"${'a'.repeat(60)}!"}`;
  test.each<readonly [string, Judged, RegExp]>([
    [
      'a schema that cannot be used',
      { message: { content: '{}' }, expect: { content: 'json', schema: { type: 'wat' } } },
      /^the content could not be checked: /,
    ],
    [
      'a pattern that takes too long on what the model wrote',
      { ...json(fuse), expect: { ...asJson, schema: explosive } },
      /^the content could not be checked: a pattern of the schema takes too long/,
    ],
    [
      'the same where just a violation is expected',
      { ...json(fuse), expect: { ...asJson, schema: explosive, outcome: 'schema_violation' } },
      /could not be checked/,
    ],
    [
      'the same in the arguments of a call',
      call(callMessage(['create_order', fuse]), named, {
        tools: [{ type: 'function', function: { name: 'create_order', parameters: explosive } }],
      }),
      /^the arguments of "create_order" could not be checked: a pattern/,
    ],
  ])('%s is a fault of chatspec, not a failure of the model', (_what, given, detail) => {
    const outcome = judged(given);
    expect(outcome).toMatchObject({ passed: false, fault: true, class: null, reason: null, violations: [] });
    expect(outcome.detail).toMatch(detail);
  });

  test('gives the value that rules and later steps see', () => {
    expect(judged({}).value).toBe('Hello.');
    expect(judged(json(good)).value).toEqual({ buyer: 'Li Lei', total: 897 });
    expect(judged(call(callMessage(['create_order', good]))).value).toEqual({ buyer: 'Li Lei', total: 897 });
    expect(judged(json('no')).value).toBeUndefined();
  });

  test('lists all violations', () => {
    const outcome = judged(json('{"buyer":1,"x":2}'));
    expect(outcome.violations).toHaveLength(3);
  });
});
