/** Those who share slots, such as the models of an account. */
export interface Lane {
  /**
   * Whose is highest goes next; of -Infinity, none goes now. Asked for every task and every lane that waits, so it has to
   * be quick.
   */
  rank(): number;
  /** One of its tasks begins. */
  begins(): void;
}

/** So many tasks at a time. */
export interface Slots {
  /** May change at any time; what runs goes on. */
  most: number;
  /** Runs the task as soon as a slot is free and it is the lane's turn; tasks of a lane in the order in which they came. */
  run<T>(lane: Lane, task: () => Promise<T>): Promise<T>;
}

/** How several lanes share slots. */
export interface Sharing {
  /** So many tasks at least may begin before one that waits goes next whatever its rank. */
  readonly leastPatience: number;
  /** Calls back a little later, when a lane that would not go now may go. */
  readonly later: (again: () => void) => void;
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
 * @param sharing null: there is only one lane
 */
export function createSlots(most: number, sharing: Sharing | null = null): Slots {
  let room = most;
  let taken = 0;
  let begun = 0;
  const lanes = new Map<Lane, Waiting>();
  /** It will be looked again who goes next. */
  let isFilling = false;
  let isLater = false;

  const nextLane = (): Waiting | null => {
    if (sharing === null) return lanes.values().next().value ?? null;
    const longest = Math.max(sharing.leastPatience, patience * lanes.size);
    let next: Waiting | null = null;
    let highest = -Infinity;
    for (const waiting of lanes.values()) {
      if (begun - waiting.since >= longest) return waiting;
      const rank = waiting.lane.rank();
      if (rank <= highest) continue;
      next = waiting;
      highest = rank;
    }
    return next;
  };

  const fill = (): void => {
    isFilling = false;
    while (taken < room && lanes.size > 0) {
      const next = nextLane();
      if (next === null) {
        lookLater();
        return;
      }
      begun += 1;
      taken += 1;
      next.since = begun;
      next.lane.begins();
      const task = next.tasks.shift();
      if (next.tasks.length === 0) lanes.delete(next.lane);
      task?.();
    }
  };

  const lookLater = (): void => {
    if (isLater) return;
    isLater = true;
    sharing?.later(() => {
      isLater = false;
      fill();
    });
  };

  const leave = (): void => {
    taken -= 1;
    if (sharing === null) fill();
    else if (!isFilling) {
      // A lane that may have few tasks at a time asks for its next slot only when it has given this one back. Without the
      // wait, another lane would always have taken it.
      isFilling = true;
      setImmediate(fill);
    }
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
