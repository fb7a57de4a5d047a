import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judged } from '../../../test/support/judged.js';
import type { Json, JsonObject } from '../../json/json.js';
import type { Rule } from '../expectation.js';
import { evaluateAll, jsonataProblem } from './jsonata-engine.js';
import type { Outcome } from '../outcome.js';

const evaluateJsonata = (expression: string, ...given: Rest) => evaluateAll([expression], ...given)[0];
type Rest = Parameters<typeof evaluateAll> extends [unknown, ...infer Others] ? Others : never;

function ruled(assert: string, value: Json, vars: JsonObject = {}): Outcome {
  const rules = [{ id: 'the-rule', assert }];
  return judged({
    message: { content: JSON.stringify(value) },
    expect: { content: 'json', rules },
    vars,
    steps: { call: { total: 7 } },
  });
}

describe('rules', () => {
  test.each<readonly [string, Json, boolean]>([
    ['value.total = 897', { total: 897 }, true],
    ['value.total = 897', { total: 898 }, false],
    ['value.buyer = vars.buyer', { buyer: 'Li Lei' }, true],
    ['value.buyer = vars.buyer', { buyer: 'Han Meimei' }, false],
    ['value.total = steps.call.total', { total: 7 }, true],
    ['request.model = "m-1" and reply.finish_reason = "stop"', {}, true],
    [
      '$close($sum(value.lines.(quantity * unit_price)), value.total)',
      { total: 0.3, lines: [{ quantity: 3, unit_price: 0.1 }] },
      true,
    ],
    [
      '$close($sum(value.lines.(quantity * unit_price)), value.total)',
      { total: 0.31, lines: [{ quantity: 3, unit_price: 0.1 }] },
      false,
    ],
    ['$close(value.a, value.b)', { a: 10, b: 10.005 }, true],
    ['$close(value.a, value.b)', { a: 10, b: 10.006 }, false],
    ['$close(value.a, value.b)', { a: 1e12, b: 1e12 + 500 }, true],
    ['$close(value.a, value.b)', { a: 1e12, b: 1e12 + 1500 }, false],
    ['1', {}, false],
    ['"true"', {}, false],
    ['value.missing', {}, false],
    ['[true, true]', {}, false],
  ])('%s over %j', (assert, value, passes) => {
    const outcome = ruled(assert, value, { buyer: 'Li Lei' });
    expect({ passed: outcome.passed, class: outcome.class }).toEqual({
      passed: passes,
      class: passes ? null : 'rule_violation',
    });
  });

  test.each([
    ['value.total +', /error/],
    ['$nope(1)', /error/],
    ['$close(value.total, "1")', /error: \$close compares two numbers/],
    ['$close(value.missing, 1)', /error: \$close compares two numbers/],
    ['$error("mine")', /error: mine/],
  ])('an error violates the rule: %s', (assert, message) => {
    const { class: kind, violations } = ruled(assert, { total: 1 });
    expect(kind).toBe('rule_violation');
    expect(violations).toEqual([{ at: 'the-rule', message: expect.stringMatching(message) as string }]);
  });

  test('reports every broken rule, with the message of the suite', () => {
    const rules = [
      { id: 'a', assert: 'false', message: 'never' },
      { id: 'b', assert: 'true' },
      { id: 'c', assert: 'value = "x"' },
    ];
    const { violations } = judged({ expect: { rules } });
    expect(violations).toEqual([
      { at: 'a', message: 'never' },
      { at: 'c', message: 'value = "x" is not true' },
    ]);
  });
});

describe('a rule with the class ineffective', () => {
  const effect = { id: 'effect', assert: 'false', message: 'no effect', class: 'ineffective' } as const;
  const wrong = { id: 'wrong', assert: 'false' };
  const right = { id: 'right', assert: 'true' };
  const ways: readonly (readonly [string, readonly Rule[], string | null, string])[] = [
    ['alone', [effect], 'ineffective', 'correct'],
    ['after one that holds', [right, effect], 'ineffective', 'correct'],
    ['that holds', [{ ...effect, assert: 'true' }], null, 'correct'],
    ['before a wrong value', [effect, wrong], 'rule_violation', 'conforms'],
    ['after a wrong value', [wrong, effect], 'rule_violation', 'conforms'],
    ['that cannot be evaluated', [{ ...effect, assert: '$nope(1)' }], 'ineffective', 'correct'],
  ];
  test.each(ways)('%s', (_how, rules, kind, rung) => {
    expect(judged({ expect: { rules } })).toMatchObject({ class: kind, rung });
  });

  test('is reported beside the others, without its class', () => {
    const { violations } = judged({ expect: { rules: [effect, wrong] } });
    expect(violations).toEqual([
      { at: 'effect', message: 'no effect' },
      { at: 'wrong', message: 'false is not true' },
    ]);
  });
});

describe('the limits of an expression', () => {
  test.each([
    ['endless recursion', '($f := function($x) { $f($x + 1) }; $f(1))'],
    ['deep recursion', '($f := function($x) { 1 + $f($x + 1) }; $f(1))'],
    ['a pattern that backtracks without end', '$contains("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", /^(a+)+$/)'],
    ['a deep expression', '('.repeat(50_000)],
    ['a long chain', `1${' + 1'.repeat(20_000)}`],
    ['a large range', '$count([1..9999999].$string()) = 1'],
  ])('%s ends as an error', (_what, expression) => {
    expect(evaluateJsonata(expression, { value: 1 })).toMatchObject({ ok: false });
    expect(evaluateJsonata('value = 1', { value: 1 })).toEqual({ ok: true, value: true });
  });

  test('give no access to the program', () => {
    for (const expression of [
      'process',
      'require',
      'globalThis',
      '$eval("process")',
      '$lookup({}, "constructor")',
      'value.constructor',
    ]) {
      expect(evaluateJsonata(expression, { value: {} })).toEqual({ ok: true, value: null });
    }
  });

  test('include a syntax check before anything is sent', () => {
    expect(jsonataProblem('value.total = 897')).toBeNull();
    expect(jsonataProblem('value.total =')).toMatch(/unexpected end/i);
  });
});

describe('the functions of an expression', () => {
  const called = (functions: Readonly<Record<string, () => string>>) =>
    evaluateJsonata('[$one(), $two()]', {}, functions);

  test('are those of this evaluation, not of an earlier one', () => {
    expect(called({ one: () => 'a', two: () => 'b' })).toEqual({ ok: true, value: ['a', 'b'] });
    expect(called({ one: () => 'c', two: () => 'd' })).toEqual({ ok: true, value: ['c', 'd'] });
    expect(called({ one: () => 'e' })).toMatchObject({ ok: false });
    expect(evaluateJsonata('[$one(), $two()]', {})).toMatchObject({ ok: false });
  });
});

describe('several expressions over one value', () => {
  const expressions = [
    ...['value.a', 'value.list[]', '$append(value.list, 1)', '$sort(value.list)', '$reverse(value.list)'],
    ...['value ~> |$|{"a": 9}|', '$merge([value, {"a": 8}])', '$sum(value.list)', 'value.list[0] := 5', '1 +'],
    ...['$each(value, function($v, $k) { $k })', 'value.list.$string()[]', '$error("mine")', '$nope(1)', 'nothing'],
    ...['value.(a := 3)', '($x := value.list; $x[[0..1]])', 'value.a = 1', '$spread(value)', '$zip(value.list)'],
  ];
  const values = fc.record({ a: fc.jsonValue(), list: fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 4 }) });

  test('are answered as each of them alone, whatever the others did', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(expressions, { minLength: 2 }), values, fc.boolean(), (some, value, own) => {
        const functions = own ? { own: () => 'mine' } : {};
        const input = { value: value as Json };
        const asked = [...some, ...some.slice(0, 1)];
        expect(evaluateAll(asked, input, functions)).toEqual(
          asked.map((expression) => evaluateJsonata(expression, input, functions)),
        );
      }),
      { numRuns: 60 },
    );
  });

  test('are answered where one of them waits for ever', () => {
    const functions = { never: () => new Promise(() => undefined) };
    expect(evaluateAll(['1', '$never()', '2'], {}, functions)).toMatchObject([
      { value: 1 },
      { ok: false },
      { value: 2 },
    ]);
  });

  test('are not stopped because one of them is', () => {
    const hogs = [
      '($f := function($x) { $f($x + 1) }; $f(1))',
      '$contains("aaaaaaaaaaaaaaaaaaaaaaaaaaaaab!", /^(a+)+$/)',
    ];
    const good = { ok: true, value: [1, 2] };
    const answers = evaluateAll(['[1..2]', ...hogs, '[value, 2]'], { value: 1 });
    expect(answers).toEqual([good, { ok: false, error: expect.anything() as string }, expect.anything(), good]);
    expect(answers[2]).toMatchObject({ ok: false, error: 'it was stopped after 1000 ms' });
  });
});
