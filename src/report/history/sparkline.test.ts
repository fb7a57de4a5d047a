import { expect, test } from 'vitest';
import { sparkline } from './sparkline.js';

test('the line leads from the oldest run to the newest, with a gap where nothing was judged', () => {
  expect(sparkline([1, 0.5, null, 0])).toEqual({
    path: 'M2,2L34,12M98,22h0',
    last: { x: 98, y: 22 },
    doubts: [],
    text: '0 % of the judged cells pass; 100 % 3 runs before',
  });
});

test('one run is a point in the middle, and none is said so', () => {
  expect(sparkline([0.999])).toMatchObject({ path: 'M50,2h0', text: '99 % of the judged cells pass' });
  expect(sparkline([])).toEqual({ path: '', last: null, doubts: [], text: 'never judged' });
});
