import { expect, test } from 'vitest';
import { sparkline } from './sparkline.js';

test('the line leads from the oldest run to the newest, with a gap where nothing was judged', () => {
  expect(sparkline([1, 0.5, null, 0])).toEqual({
    lines: ['2,2 34,12', '98,22'],
    last: { x: 98, y: 22 },
    text: '0 % of the judged cells pass; 100 % 3 runs before',
  });
});

test('one run is a point in the middle, and none is said so', () => {
  expect(sparkline([0.999])).toMatchObject({ lines: ['50,2'], text: '99 % of the judged cells pass' });
  expect(sparkline([])).toEqual({ lines: [], last: null, text: 'never judged' });
});
