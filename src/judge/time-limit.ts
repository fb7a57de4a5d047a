import { cpuUsage } from 'node:process';

/**
 * Calls `attempt`, which the clock stops after so many milliseconds, again where a busy machine took that time: until
 * it ends, or this process itself has worked for so long. Throws what the last attempt threw; see {@link isTimeout}.
 */
export function withinWork<Result>(milliseconds: number, attempt: (milliseconds: number) => Result): Result {
  const before = cpuUsage();
  for (;;) {
    try {
      return attempt(milliseconds);
    } catch (error) {
      const { user, system } = cpuUsage(before);
      if (!isTimeout(error) || user + system >= 1000 * milliseconds) throw error;
    }
  }
}

/**
 * Whether the JavaScript engine stopped a script after its time. Recognised by its code: errors from another context
 * are not instances of this one's classes.
 */
export function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
