import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';

/**
 * Milliseconds from start to end. Throws with what it printed when it fails.
 * @param allowed exit codes that are no failure
 */
export function timedProcess(
  command: string,
  args: readonly string[],
  cwd: string,
  allowed: readonly number[] = [0],
): number {
  const begun = performance.now();
  const { status, stderr } = spawnSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  const milliseconds = performance.now() - begun;
  if (status === null || !allowed.includes(status))
    throw new Error(`${[command, ...args].join(' ')}: ${stderr.toString()}`);
  return milliseconds;
}

/** The upper one of the two middle values, if there are two. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** Below a table: where it was measured. */
export const measuredOn = (rounds: number): string =>
  `Median of ${rounds} rounds, Node ${process.versions.node}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}).`;
