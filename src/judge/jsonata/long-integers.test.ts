import { describe, expect, test } from 'vitest';
import { evaluateAll } from './jsonata-engine.js';

const value = {
  id: 2512292042121000001n,
  near: 2512292042121000000n,
  ids: [2512292042121000001n, 2512292042121000003n],
  double: 2512292042121000001,
  text: '2512292042121000001',
  marked: '\0i5',
  two: 2,
};

describe('rules over integers beyond 2^53', () => {
  test.each([
    ['id = 2512292042121000001', true],
    ['id = 2512292042121000000', false],
    ['id != near', true],
    ['-id = -2512292042121000001', true],
    ['id > near', true],
    ['near >= 2512292042121000000', true],
    ['id < 2512292042121000001', false],
    ['id > two', true],
    ['id in ids', true],
    ['near in ids', false],
    ['id % 2 = 1', true],
    ['id - near = 1', true],
    ['two * two = 4', true],
    ['two / two = 1', true],
    ['ids[0] = id and $count($distinct(ids)) = 2', true],
    ['ids[$ = 2512292042121000003] = 2512292042121000003', true],
    ['$string(id) = text', true],
    ['id & "" = text', true],
    ['$string($.ids) = "[2512292042121000001,2512292042121000003]"', true],
    ['$number(text) = id', true],
    ['$number("2") = two', true],
    ['$type(id)', 'number'],
    ['$boolean(id) and $not(id) = false', true],
    ['id ? true : false', true],
    ['$close(id, id)', true],
    ['{ "a": id } = { "a": id }', true],
    ['{ "a": id } = { "a": near }', false],
    ['missing = id', false],
    ['id = text', false],
    ['marked', '\0i5'],
    ['id', 2512292042121000001n],
    ['two', 2],
    ['9007199254740993 - 9007199254740992 = 1', true],
  ])('%s', (expression, found) => {
    expect(evaluateAll([expression], value)).toEqual([{ ok: true, value: found }]);
  });

  test.each(['id = double', '$sum(ids) > 1', 'id / 2 > 1', 'id + 0.5 > 1', '$max(ids) = id', '$abs(id) = id'])(
    '%s: cannot be told exactly',
    (expression) => {
      expect(evaluateAll([expression], value)).toMatchObject([{ ok: false, inexact: true }]);
    },
  );

  test.each(['text < two', '$abs(text) = 1', 'nonsense('])('%s: is a mistake of the rule', (expression) => {
    const [answer] = evaluateAll([expression], value);
    expect(answer).toMatchObject({ ok: false });
    expect(answer).not.toHaveProperty('inexact');
  });
});
