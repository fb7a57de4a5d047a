import { bestFirst } from './best-first.js';

/** Where trials wait for their turn. Few do at a time, as each of them takes memory; the others have not begun yet. */
export interface WaitingRoom {
  /** Calls `begin` as soon as there is room: who has the highest rank goes first. */
  enter(rank: number, begin: () => void): void;
  /** One of those that have begun no longer waits. */
  leave(): void;
}

export function createWaitingRoom(most: number): WaitingRoom {
  const outside = bestFirst<() => void>();
  let inside = 0;
  return {
    enter(rank, begin) {
      if (inside >= most) {
        outside.add(rank, begin);
        return;
      }
      inside += 1;
      begin();
    },
    leave() {
      const next = outside.take();
      if (next === undefined) inside -= 1;
      else next();
    },
  };
}
