import { describe, expect, test } from 'vitest';
import { membersOf } from './rule-members.js';

describe('the members of vars that a rule uses', () => {
  test.each([
    ['value.total = vars.total', ['total']],
    ['$close(value.total, vars.totl) and vars.buyer.name = "x"', ['totl', 'buyer']],
    ['$map(value.lines, function($line) { $line.total <= vars.limit })', ['limit']],
    ['value.lines[total > $$.vars.limit]', ['limit']],
    ['(vars.a; $v := vars.b; $v.c) ? vars.d : [vars.e, -vars.f]', ['a', 'b', 'd', 'e', 'f']],
    ['{"x": vars.g}.x = vars.`two words`', ['g', 'two words']],
    ['vars.a = vars.a', ['a']],
    // Here vars is a member of something else, or the rule means vars as a whole.
    ['value.vars.total', []],
    ['value.lines[vars.limit > 1]', []],
    ['value.lines.(vars.limit)', []],
    ['value.lines^(vars.x){vars.y: vars.z}', []],
    ['value ~> |vars.a|{"b": vars.b}|', []],
    ['$lookup(vars, "x") and $exists(vars.*) and vars', []],
    ['"vars.total" = value', []],
    ['value.total +', []],
  ])('%s', (expression, names) => {
    expect(membersOf(expression)).toEqual(names);
  });

  test('members of steps are read separately', () => {
    const rule = 'value = steps.tool.result.id and vars.total = $$.steps.call.arguments.total';
    expect(membersOf(rule, 'steps')).toEqual(['tool', 'call']);
    expect(membersOf(rule)).toEqual(['total']);
  });
});
