import { describe, expect, test } from 'vitest';
import { variableReader } from './rule-variables.js';

const read = await variableReader();

describe('the members of vars that a rule names', () => {
  test.each([
    ['value.total = vars.total', ['total']],
    ['$close(value.total, vars.totl) and vars.buyer.name = "x"', ['totl', 'buyer']],
    ['$map(value.lines, function($line) { $line.total <= vars.limit })', ['limit']],
    ['value.lines[total > $$.vars.limit]', ['limit']],
    ['(vars.a; $v := vars.b; $v.c) ? vars.d : [vars.e, -vars.f]', ['a', 'b', 'd', 'e', 'f']],
    ['{"x": vars.g}.x = vars.`two words`', ['g', 'two words']],
    ['vars.a = vars.a', ['a']],
    // Here vars is a member of something else, or all of vars is meant.
    ['value.vars.total', []],
    ['value.lines[vars.limit > 1]', []],
    ['value.lines.(vars.limit)', []],
    ['value.lines^(vars.x){vars.y: vars.z}', []],
    ['value ~> |vars.a|{"b": vars.b}|', []],
    ['$lookup(vars, "x") and $exists(vars.*) and vars', []],
    ['"vars.total" = value', []],
    ['value.total +', []],
  ])('%s', (expression, names) => {
    expect(read(expression)).toEqual(names);
  });

  test('or of steps, each for itself', () => {
    const rule = 'value = steps.tool.result.id and vars.total = $$.steps.call.arguments.total';
    expect(read(rule, 'steps')).toEqual(['tool', 'call']);
    expect(read(rule)).toEqual(['total']);
  });
});
