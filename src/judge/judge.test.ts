import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { anExpectation, callMessage } from '../../test/support/build.js';
import { judged, type Judged } from '../../test/support/judged.js';
import { anyCall, asJson, call, good, json, named, optional, tools } from '../../test/support/orders.js';
import type { Json, JsonObject } from '../json/json.js';
import type { Expectation } from './expectation.js';
import { serverErrorAsFailure } from './climb.js';
import { outcomeClasses, type Outcome } from './outcome.js';

type Wanted = Partial<Pick<Outcome, 'class' | 'rung' | 'fault' | 'quirks'>> & { readonly detail?: string };
interface Case<Is> extends Omit<Judged, 'expect' | 'answer'> {
  readonly what: string;
  readonly content?: string | null;
  /** A content of so many times a text. */
  readonly repeat?: readonly [text: string, times: number];
  /** Names and arguments of calls. */
  readonly calls?: readonly (readonly [string | null, Json])[];
  /** The request offers the tools of orders. */
  readonly tools?: true;
  readonly expect?: string | (Partial<Expectation> & { readonly like?: string });
  readonly answer?: Omit<NonNullable<Judged['answer']>, 'body'> & { readonly body?: string };
  readonly is: Is;
}
interface Cases {
  readonly ladder: readonly Case<Wanted>[];
  readonly faults: readonly Case<Wanted>[];
  readonly expected_failures: readonly Case<Wanted>[];
  readonly tolerated_oddities: readonly Case<Wanted>[];
  readonly cut_at_the_cap: readonly Case<unknown>[];
  readonly not_cut_at_the_cap: readonly Case<unknown>[];
  readonly effect_of_thinking: readonly Case<{ readonly reasons: boolean }>[];
  readonly wrong_usage: readonly Case<{ readonly mayBeUsage: boolean }>[];
}
const cases = parse(readFileSync(join(import.meta.dirname, '../../fixtures/judge/cases.yaml'), 'utf8')) as Cases;

const known: Readonly<Record<string, Partial<Expectation>>> = { json: asJson, any: anyCall, named, optional };

function given({
  content,
  repeat,
  calls,
  tools: hasTools,
  expect: wanted = {},
  answer,
  ...rest
}: Case<unknown>): Judged {
  const { like, ...own } = typeof wanted === 'string' ? { like: wanted } : wanted;
  const text = repeat === undefined ? content : repeat[0].repeat(repeat[1]);
  const { body, ...head } = answer ?? {};
  return {
    ...rest,
    ...(text !== undefined && { message: { content: text } }),
    ...(calls !== undefined && { message: callMessage(...calls) }),
    ...(hasTools === true && { request: { tools, ...rest.request } }),
    ...(answer !== undefined && { answer: { ...head, ...(body !== undefined && { body: [body] }) } }),
    expect: { ...(like === undefined ? {} : known[like]), ...own },
  };
}

describe.each([
  ['the ladder', cases.ladder],
  ['faults', cases.faults],
  ['expected failures', cases.expected_failures],
  ['tolerated oddities', cases.tolerated_oddities],
] as const)('%s', (_title, rows) => {
  test.each(rows)('$what', (row) => {
    const outcome = judged(given(row));
    const { detail, ...facts } = row.is;
    expect(outcome).toMatchObject(facts);
    expect(outcome.passed).toBe(outcome.class === null && !outcome.fault);
    if (detail !== undefined) expect(outcome.detail).toMatch(new RegExp(detail));
    if (outcome.passed && row.is.rung !== undefined) expect(outcome.detail).toBeNull();
  });
});

describe('an answer that its cap cut although its finish_reason does not say so', () => {
  test.each(cases.cut_at_the_cap)('$what', (row) => {
    const { quirks, wire } = judged(given(row));
    expect(quirks).toContain('cut_without_length');
    expect(wire[0]?.could).toContain('cut_at_cap');
  });

  test.each(cases.not_cut_at_the_cap)('not so: $what', (row) => {
    expect(judged(given(row)).quirks).not.toContain('cut_without_length');
  });
});

describe('the effect of thinking', () => {
  test.each(cases.effect_of_thinking)('$what', (row) => {
    const asked = given(row);
    expect(judged({ ...asked, expect: { reasoning: 'present' } }).class).toBe(row.is.reasons ? null : 'ineffective');
    expect(judged({ ...asked, expect: { reasoning: 'absent' } }).class).toBe(row.is.reasons ? 'ineffective' : null);
  });

  // A service that counts ten times too much does so whether the model reasons or not.
  test.each(cases.wrong_usage)('$what: may be a usage that is wrong', (row) => {
    const { detail } = judged({ ...given(row), expect: { reasoning: 'absent' } });
    expect(detail?.includes('or the usage counts too many tokens')).toBe(row.is.mayBeUsage);
  });

  test.each<readonly [string, JsonObject | null, RegExp]>([
    ['with usage', { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 }, /no tokens beyond the text/],
    ['without usage', null, /no text, and no usage that would count reasoning tokens/],
  ])('%s, names only what was looked at', (_what, usage, detail) => {
    expect(judged({ message: { content: 'OK' }, usage, expect: { reasoning: 'present' } }).detail).toMatch(detail);
  });
});

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

describe('a schema that cannot be used, or not in time', () => {
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

describe('calls written as text', () => {
  test.each([
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
  ])('%s', (content) => {
    for (const expectation of [anyCall, optional]) {
      const outcome = judged(call({ content }, expectation));
      expect(outcome.class).toBe('missing_tool_call');
      expect(outcome.detail).toMatch(/came as text in the content/);
    }
  });
});

test('a call in the retired field alone is one that its finish_reason may announce', () => {
  const message = { content: null, function_call: { name: 'create_order', arguments: good } };
  for (const finish of ['function_call', 'tool_calls']) {
    expect(judged({ ...call(message, anyCall), finish }).quirks).toEqual(['legacy_function_call']);
  }
});

describe('a fault', () => {
  const http = (status: number): Judged => ({ answer: { status, body: [''] } });
  const facts = ({ passed, class: kind, rung, fault }: Outcome): unknown => ({ passed, class: kind, rung, fault });
  test('a stream that was cut is a fault, a connection that ends after [DONE] is not', () => {
    const chunk = `data: ${JSON.stringify({ id: 'c', model: 'm', created: 1, object: 'chat.completion.chunk', choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi' } }] })}\n\n`;
    const failure = { kind: 'connection_reset', message: 'reset' } as const;
    const request = { stream: true };
    expect(facts(judged({ request, answer: { body: [chunk] } }))).toEqual({
      passed: false,
      class: 'transport',
      rung: 'accepted',
      fault: true,
    });
    expect(facts(judged({ request, answer: { body: [chunk], failure } }))).toEqual({
      passed: false,
      class: 'transport',
      rung: null,
      fault: true,
    });
    const done = judged({ request, answer: { body: [chunk, 'data: [DONE]\n\n'], failure } });
    expect(done).toMatchObject({ passed: true, quirks: ['cut_after_done', 'finish_reason_missing'] });
  });

  test('only a repeated 5xx becomes a failure', () => {
    expect(serverErrorAsFailure(judged(http(500)))).toMatchObject({ fault: false, passed: false, class: 'http_error' });
    expect(serverErrorAsFailure(judged(http(429)))).toMatchObject({ fault: true });
    const expected = judged({ ...http(500), expect: { outcome: 'http_error' } });
    expect(expected).toMatchObject({ fault: true, passed: false });
    expect(serverErrorAsFailure(expected, { ...anExpectation(), outcome: 'http_error' })).toMatchObject({
      fault: false,
      passed: true,
    });
  });
});

test('a cap that was ignored is named with the tokens that came', () => {
  const { detail } = judged({
    request: { max_tokens: 12 },
    usage: { prompt_tokens: 20, completion_tokens: 196, total_tokens: 216 },
    expect: { outcome: 'truncated' },
  });
  expect(detail).toBe('expected truncated, but the answer passed every check (196 of at most 12 completion tokens)');
});

test('gives an outcome for any bytes, however they are cut', () => {
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
  fc.assert(
    fc.property(statuses, fc.array(body), expectations, (status, pieces, expectation) => {
      const outcome = judged({ answer: { status, body: pieces }, expect: expectation, request: { tools } });
      expect(outcome.passed).toBe(outcome.class === null);
      if (outcome.class !== null) expect(outcomeClasses).toContain(outcome.class);
    }),
    { numRuns: 300 },
  );
});
