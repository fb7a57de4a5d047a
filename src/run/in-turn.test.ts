import { expect, test } from 'vitest';
import { inTurn } from './in-turn.js';

test('hands on in order what comes in any order, each as soon as those before it have come', () => {
  const taken: string[] = [];
  const give = inTurn<string>((value) => taken.push(value));
  give(2, 'c');
  give(1, 'b');
  expect(taken).toEqual([]);
  give(0, 'a');
  expect(taken).toEqual(['a', 'b', 'c']);
  give(3, 'd');
  expect(taken).toEqual(['a', 'b', 'c', 'd']);
});
