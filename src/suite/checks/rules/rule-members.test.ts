import { describe, expect, test } from 'vitest';
import { membersOf, rootsOf } from './rule-members.js';

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

describe('what a rule reads of what it is given', () => {
  test.each([
    ['$not($exists(valeu.error))', ['valeu']],
    ['$count(repyl.tool_calls) = 0 and value.total = vars.total', ['repyl', 'value', 'vars']],
    ['total = 897', ['total']],
    ['$.valeu.total = 1 and $$.steps.a = 1', ['valeu', 'steps']],
    ['$map(value.lines, function($line) { $line.total <= limit })', ['value', 'limit']],
    ['($v := valu; $v.a = 1) ? [a, -b] : {"x": c}', ['valu', 'a', 'b', 'c']],
    // Names of an item, of a group, of a change, and of nothing in particular.
    ['value.lines[quantity < 1]', ['value']],
    ['value.lines.(quantity * price)', ['value']],
    ['value.lines^(price){name: total}', ['value']],
    ['value ~> |lines|{"total": quantity * price}|', ['value']],
    ['$exists(**.error) or $ = 1 or *.error', []],
    ['value.total +', []],
  ])('%s', (expression, names) => {
    expect(rootsOf(expression)).toEqual(names);
  });
});
