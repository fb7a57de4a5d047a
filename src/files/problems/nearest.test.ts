import { describe, expect, test } from 'vitest';
import { didYouMean, nearest } from './nearest.js';

describe('did you mean', () => {
  test.each([
    ['expects', ['expect', 'exclude'], 'expect'],
    ['Tools', ['tools'], 'tools'],
    ['evn', ['env'], 'env'],
    ['finishreason', ['finish_reason', 'tool_call'], 'finish_reason'],
    ['banana', ['expect', 'exclude'], null],
    ['3', ['1', '2'], null],
    ['x', [], null],
    ['a'.repeat(100_000), ['b'.repeat(100_000)], null],
  ])('%.20s', (word, candidates, expected) => {
    expect(nearest(word, candidates)).toBe(expected);
  });

  test('lists the known names when none is near, a few, one a line, if they are many', () => {
    expect(didYouMean('zzz', ['one', 'two'], 'axes')).toBe('axes: one, two');
    expect(didYouMean('zzz', [])).toBeUndefined();
    expect(
      didYouMean(
        'zzzzzzzzz',
        Array.from({ length: 30 }, (_, n) => `n${n}`),
      ),
    ).toBe('known:\n      n0\n      n1\n      n2\n      n3\n      n4\n      and 25 more');
  });
});
