import { spawnSync } from 'node:child_process';

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
