/** Milliseconds of CPU that some work takes, the least of a few times: other programs and the garbage of earlier work do not count. */
export function cpuTime(work: () => unknown, times = 3): number {
  let least = Infinity;
  for (let time = 0; time < times; time++) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** Four times as much takes four times as long where time is linear, sixteen times where it is quadratic. */
export const mostGrowth = 8;

/** Milliseconds. Below this, the clock and the garbage collector decide. */
const noise = 25;

/**
 * How many times as long four times as much takes; at least {@link mostGrowth} where time is not linear. Another program may
 * disturb one measurement, not three.
 */
export function growth<Made>(made: (n: number) => Made, n: number, work: (made: Made) => unknown): number {
  const [one, four] = [made(n), made(4 * n)];
  let least = Infinity;
  for (let attempt = 0; attempt < 3 && least >= mostGrowth; attempt++) {
    const before = Math.max(
      noise,
      cpuTime(() => work(one), 2),
    );
    least = Math.min(least, cpuTime(() => work(four), 1) / before);
  }
  return least;
}
