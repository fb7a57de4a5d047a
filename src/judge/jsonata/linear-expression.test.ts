import { describe, expect, test } from 'vitest';
import { parseJsonata } from './jsonata-engine.js';
import { isLinearExpression } from './linear-expression.js';

const isLinear = (expression: string): boolean => {
  const parsed = parseJsonata(expression);
  if (!parsed.ok) throw new Error(`${expression}: ${parsed.error}`);
  return isLinearExpression(parsed.tree);
};

const linear = [
  'value.total = 897',
  'value.buyer = vars.user.name and value.currency in vars.user.currencies',
  '$close($sum(value.lines.(quantity * unit_price)), value.total)',
  '$count(value.lines[quantity > 1 and name in ["a", "b"]]) = 1',
  'value.lines[0].name = $$.vars.name',
  '$exists($match(value.code, /^[A-Z]{3}$/i))',
  "$count([reply.usage.prompt_tokens, reply.usage.total_tokens][$type($) = 'number'][$ >= 0 and $floor($) = $]) = 2",
  'value.*.name & "x"',
  'value.total > 1 ? true : -value.total = 1',
  '{"a": value.a}.a = 1',
  '$not($contains($lowercase(reply.content), "sorry"))',
];

describe('isLinearExpression', () => {
  test.each(linear)('accepts %s', (expression) => {
    expect(isLinear(expression)).toBe(true);
  });

  test.each([
    '$contains(value.a, /^(a+)+$/)',
    '$contains(value.a, /^a+$/m)',
    '($f := function($x) { $f($x + 1) }; $f(1))',
    '($all := value.lines; $all.(quantity))',
    '[1..9999999]',
    '$map(value.lines, $string)',
    '$eval(value.a)',
    '$pad("", 1000000000)',
    '$distinct(value.lines)',
    '$nope(value.a)',
    'value.lines.($$.value.lines.quantity)',
    'value.lines[quantity = $$.value.total]',
    'value.a.[$, $].[$, $]',
    'value.lines.{"a": $}',
    'value.lines^(quantity)',
    'value.**.a',
    'value.lines@$l.name',
    'value.lines.%.total',
    'value.lines{name: quantity}',
    'value ~> $sum',
    '$sum ~> $string',
    'value ~> |a|{"b": 1}|',
  ])('rejects %s', (expression) => {
    expect(isLinear(expression)).toBe(false);
  });
});
