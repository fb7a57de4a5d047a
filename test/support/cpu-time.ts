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
