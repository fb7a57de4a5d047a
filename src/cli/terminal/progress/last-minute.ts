export interface LastMinute {
  readonly count: (at: number, more?: number) => void;
  /** How many there were in the minute before. */
  readonly within: (at: number) => number;
}

/** Counts by second, for the last minute. Times are in milliseconds since the epoch. */
export function lastMinute(): LastMinute {
  const counts = new Array<number>(60).fill(0);
  const seconds = new Array<number>(60).fill(-1);
  return {
    count(at, more = 1) {
      const second = Math.floor(at / 1000);
      const index = second % 60;
      counts[index] = seconds[index] === second ? (counts[index] ?? 0) + more : more;
      seconds[index] = second;
    },
    within(at) {
      const oldest = Math.floor(at / 1000) - 60;
      return counts.reduce((all, count, index) => all + ((seconds[index] ?? -1) > oldest ? count : 0), 0);
    },
  };
}
