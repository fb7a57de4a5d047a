import { expect, test } from 'vitest';
import { inOrder } from './in-order.js';

test('passes on values in order, each as soon as all before it have arrived', () => {
  const passedOn: string[] = [];
  const give = inOrder<string>((value) => passedOn.push(value));
  give(2, 'c');
  give(1, 'b');
  expect(passedOn).toEqual([]);
  give(0, 'a');
  expect(passedOn).toEqual(['a', 'b', 'c']);
  give(3, 'd');
  expect(passedOn).toEqual(['a', 'b', 'c', 'd']);
});
