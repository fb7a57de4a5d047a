/** Those who share slots, such as the models of an account. */
export interface Lane {
  /** Whose is highest goes next. Asked for every task and every lane that waits, so it has to be quick. */
  rank(): number;
}

/** So many tasks at a time. */
export interface Slots {
  /** May change at any time; what runs goes on. */
  most: number;
  /** Runs the task as soon as a slot is free and it is the lane's turn; tasks of a lane in the order in which they came. */
  run<T>(lane: Lane, task: () => Promise<T>): Promise<T>;
}

/** So often each of the lanes that wait may be passed over, on average, until it is the turn of the one that waits. */
const patience = 4;

interface Waiting {
  readonly lane: Lane;
  readonly tasks: (() => void)[];
  /** How many tasks had begun when one of this lane last did, or when the lane began to wait. */
  since: number;
}

/**
 * The lane with the highest rank goes first, except that one goes before it that was passed over four times as often as
 * there are lanes: a rank decides who gets more, not who gets anything.
 */
export function createSlots(most: number): Slots {
  let room = most;
  let taken = 0;
  let begun = 0;
  const lanes = new Map<Lane, Waiting>();

  const nextLane = (): Waiting | null => {
    const longest = patience * lanes.size;
    let next: Waiting | null = null;
    let highest = -Infinity;
    for (const waiting of lanes.values()) {
      if (lanes.size === 1 || begun - waiting.since >= longest) return waiting;
      const rank = waiting.lane.rank();
      if (next !== null && rank <= highest) continue;
      next = waiting;
      highest = rank;
    }
    return next;
  };

  const fill = (): void => {
    while (taken < room) {
      const next = nextLane();
      if (next === null) return;
      begun += 1;
      taken += 1;
      next.since = begun;
      const task = next.tasks.shift();
      if (next.tasks.length === 0) lanes.delete(next.lane);
      task?.();
    }
  };

  const leave = (): void => {
    taken -= 1;
    fill();
  };

  return {
    get most() {
      return room;
    },
    set most(value) {
      room = value;
      fill();
    },
    run(lane, task) {
      return new Promise((resolve, reject) => {
        const waiting = lanes.get(lane) ?? { lane, tasks: [], since: begun };
        lanes.set(lane, waiting);
        waiting.tasks.push(() => {
          const running = task();
          running.then(resolve, reject);
          running.then(leave, leave);
        });
        fill();
      });
    },
  };
}
