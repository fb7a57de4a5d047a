import { expect, test } from 'vitest';
import { createWaitingRoom } from './waiting-room.js';

test('so many begin at once, and then whoever has the highest rank as soon as one leaves', () => {
  const room = createWaitingRoom(2);
  const begun: string[] = [];
  for (const [rank, name] of [
    [1, 'a'],
    [1, 'b'],
    [1, 'c'],
    [3, 'd'],
    [1, 'e'],
  ] as const) {
    room.enter(rank, () => begun.push(name));
  }
  expect(begun).toEqual(['a', 'b']);
  room.leave();
  expect(begun).toEqual(['a', 'b', 'd']);
  for (let left = 0; left < 4; left += 1) room.leave();
  expect(begun).toEqual(['a', 'b', 'd', 'c', 'e']);
  room.enter(1, () => begun.push('f'));
  room.enter(1, () => begun.push('g'));
  room.enter(1, () => begun.push('h'));
  expect(begun.slice(5)).toEqual(['f', 'g']);
});
