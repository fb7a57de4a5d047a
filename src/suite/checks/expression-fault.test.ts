import { describe, expect, test } from 'vitest';
import { expressionFault, ruleFunctions } from './check-rules.js';

const check = (expression: string) => expressionFault(expression, ruleFunctions);

describe('a function that a rule calls', () => {
  test.each([
    '$close(value.total, 897)',
    '$sum(value.lines.(quantity * unit_price)) = value.total',
    '($twice := function($x) { $x * 2 }; $twice(value.a) = 4)',
    '$map(value.lines, function($line, $index) { $line.quantity >= $index }) = [true]',
    'value.lines[quantity < 1] ~> $count() = 0',
    '$exists(value.name) and $not($contains(value.name, /x+/))',
  ])('knows %s', (expression) => {
    expect(check(expression)).toBeNull();
  });

  test.each([
    ['$klose(value.total, 897)', 'there is no function $klose, did you mean "$close"?'],
    ['value.total = $nothingLikeThat(1)', 'there is no function $nothingLikeThat'],
    ['$map(value.lines, function($x) { $rond($x) })', 'there is no function $rond, did you mean "$round"?'],
  ])('refuses %s', (expression, message) => {
    expect(check(expression)).toBe(message);
  });
});
