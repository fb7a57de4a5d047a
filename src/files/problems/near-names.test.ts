import { describe, expect, test } from 'vitest';
import { listedNames, nearHint, nearNames } from './near-names.js';

const models = ['demo/tiny-terse', 'demo/sim-reference', 'demo/sim-object-500', 'vendor/gpt-4o', 'vendor/gpt-4o-mini'];

describe('the names that a pattern means', () => {
  test.each<[string, readonly string[]]>([
    ['demo/sim-refrence', ['demo/sim-reference']],
    ['DEMO/SIM-REFERENCE', ['demo/sim-reference']],
    ['demo/sim-refrence*', ['demo/sim-reference']],
    ['*refrence', ['demo/sim-reference']],
    ['gpt-*', ['vendor/gpt-4o', 'vendor/gpt-4o-mini']],
    ['gpt-4o-', ['vendor/gpt-4o-mini']],
    ['llama-*', []],
    ['zz', []],
    ['', []],
    ['*', []],
  ])('%s: %j', (pattern, names) => {
    expect(nearNames(pattern, models)).toEqual(names);
  });

  test('are none of which a star matches next to everything', () => {
    expect(nearNames('gpt-*', ['tiny-terse', 'sim-reference', 'a-b'])).toEqual([]);
  });

  test('are three at most', () => {
    expect(nearNames('mod', ['model-a', 'model-b', 'model-c', 'model-d'])).toHaveLength(3);
  });
});

describe('a hint', () => {
  test.each<[readonly string[], string]>([
    [['a'], 'did you mean "a"?'],
    [['a', 'b'], 'did you mean "a" or "b"?'],
    [['a', 'b', 'c', 'd'], 'did you mean "a", "b" or "c"?'],
  ])('suggests %j', (near, hint) => {
    expect(nearHint(near, { title: 'models', names: ['x'] })).toBe(hint);
  });

  test('lists a few names, one a line, then how many more and the command that lists them', () => {
    const names = Array.from({ length: 23 }, (_, n) => `m${n}`);
    expect(nearHint([], { title: 'the models', names, command: 'chatspec list' })).toBe(
      'the models:\n      m0\n      m1\n      m2\n      m3\n      m4\n      and 18 more: chatspec list',
    );
    expect(listedNames('axes', ['one', 'two'])).toBe('axes:\n      one\n      two');
    expect(nearHint([], { title: 'the models', names: [] })).toBeUndefined();
  });
});
