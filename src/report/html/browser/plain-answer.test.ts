import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAnswer, replyIn } from '../../../chat/read-answer.js';
import type { Answer } from '../../../chat/exchange.js';
import type { JsonObject } from '../../../json/json.js';
import { anExchangeRecord } from '../../../../test/support/build.js';
import { redactor } from '../../safe/redact.js';
import { decodedAnswer } from '../store/decoded-answer.js';

type Violations = readonly { readonly at: string; readonly message: string }[];
interface Read {
  readonly ids: string | null;
  readonly finish: string | null;
  readonly usage: string | null;
  readonly answer: object | null;
}
const { readPlain, wholeOf } = (await import(new URL('plain-answer.js', import.meta.url).href)) as {
  readPlain: (whole: JsonObject | null, headers: string, violations: Violations) => Read;
  wholeOf: (text: string) => JsonObject | null;
};

const redact = redactor();
const headers = { 'content-type': 'application/json', traceresponse: '00-abc-01' };

function inTheBrowser(body: string, violations: Violations, more: Readonly<Record<string, string>> = {}): Read {
  const lines = Object.entries({ ...headers, ...more }).map(([name, value]) => `${name}: ${value}`);
  const { ids, finish, usage, answer } = readPlain(wholeOf(body), lines.join('\n'), violations);
  return { ids, finish, usage, answer };
}

/** What the rest of chatspec reads. */
function elsewhere(body: string, violations: Violations, more: Readonly<Record<string, string>> = {}): Read {
  const { answer } = anExchangeRecord('x', 'suite/p@demo/one', { body }).exchange;
  const own: Answer = { ...answer, headers: { ...headers, ...more } };
  const reply = replyIn(readAnswer(own));
  const ids = [reply?.id, reply?.request_id ?? own.headers['x-request-id'], own.headers['traceresponse']];
  return {
    ids: ids.filter((id) => typeof id === 'string').join(' · ') || null,
    finish: reply?.finish_reason ?? null,
    usage: reply?.usage ? JSON.stringify(reply.usage) : null,
    answer: decodedAnswer(reply, violations, redactor()),
  };
}

const violations: Violations = ['', '/a', '/b/c', '/list/1/x~1y', '/list/7', '/missing/deep', 'total'].map((at) => ({
  at,
  message: `wrong at ${at}`,
}));

const decodedTexts = [
  '{"a":1,"b":{"c":[1,2,{"d":null}]},"list":[{"m":1},{"x/y":[true]}]}',
  ...[
    '[]',
    '{}',
    '"text"',
    '1e999',
    'null',
    ' {"a": 1} ',
    '{"__proto__": {"a": 1}, "b": 2}',
    '{"a": {}, "b": {"c": 0}}',
  ],
  ...['', 'just words', '{"cut": tr', 'nothing', '```json\n{}\n```'],
];

describe('the browser reads a plain answer as the rest of chatspec does', () => {
  test.each(decodedTexts)('content and arguments %j', (text) => {
    for (const message of [
      { role: 'assistant', content: text },
      { content: null, tool_calls: [{ id: 'c', type: 'function', function: { name: 'order', arguments: text } }] },
    ]) {
      const body = JSON.stringify({ id: 'x1', choices: [{ message, finish_reason: 'stop' }], usage: { total: 1e3 } });
      expect(inTheBrowser(body, violations)).toEqual(elsewhere(body, violations));
    }
  });

  test('marks the lines that violate the schema', () => {
    const body = JSON.stringify({ choices: [{ message: { content: decodedTexts[0] } }] });
    const { answer } = inTheBrowser(body, violations) as unknown as { answer: { marks: { line: number }[] } };
    expect(answer.marks.map(({ line }) => line)).toEqual([0, 1, 3, 16, 11, 0]);
  });

  test.each([
    ['an error', '{"error":{"message":"no","type":"server_error"}}'],
    ['an error beside a choice', '{"id":"x","error":{"message":"no"},"choices":[{"message":{"content":"yes"}}]}'],
    ['no choices', '{"id":"x","choices":[]}'],
    ['choices of another kind', '{"id":"x","choices":{"0":{"message":{"content":"x"}}}}'],
    ['a choice that is no object', '{"id":"x","choices":["text",{"message":{"content":"x"}}]}'],
    ['no message', '{"id":"x","choices":[{"finish_reason":"stop"}]}'],
    ['no message where it was cut off', '{"id":"x","choices":[{"finish_reason":"length"}],"usage":{"n":1}}'],
    ['a content of another kind', '{"id":"x","choices":[{"message":{"content":7},"finish_reason":""}]}'],
    ['calls as an object', '{"choices":[{"message":{"tool_calls":{"function":{"name":"f","arguments":"{}"}}}}]}'],
    ['calls without a function', '{"choices":[{"message":{"content":"x","tool_calls":[null,{"id":"c"}]}}]}'],
    ['a call without a name', '{"choices":[{"message":{"tool_calls":[{"function":{"arguments":"{}"}}]}}]}'],
    ['an empty list of calls', '{"choices":[{"message":{"content":"x","tool_calls":[]}}]}'],
    ['usage of another kind', '{"id":7,"request_id":"r1","usage":[1],"choices":[{"message":{"content":"x"}}]}'],
    ['text that is not JSON', '{"id":"x","choices":[{"message"'],
  ])('%s', (_, body) => {
    expect(inTheBrowser(body, violations)).toEqual(elsewhere(body, violations));
    const more = { 'x-request-id': 'req-1' };
    expect(inTheBrowser(body, [], more)).toEqual(elsewhere(body, [], more));
  });

  test('any JSON as content', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.nat(4), (value, indent) => {
        const content = JSON.stringify(value, null, indent);
        const pointers = Object.keys(typeof value === 'object' ? (value ?? {}) : {}).map((name) => ({
          at: `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
          message: name,
        }));
        const body = JSON.stringify({ choices: [{ message: { content } }] });
        // What holds something to mask never reaches the page as it was sent.
        fc.pre(redact(body) === body && redact(content) === content);
        expect(inTheBrowser(body, pointers)).toEqual(elsewhere(body, pointers));
      }),
      { numRuns: 100 },
    );
  });
});
