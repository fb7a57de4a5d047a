import { createContext, Script, type Context } from 'node:vm';

/** Thrown where a check was stopped. */
export class TimeLimitExceeded extends Error {
  override readonly name = 'TimeLimitExceeded';
}

let sandbox: { readonly context: Context; readonly script: Script } | null = null;

/**
 * Runs `work` for at most `milliseconds`, then throws {@link TimeLimitExceeded}. The JavaScript engine
 * itself stops it, so even a regular expression that backtracks without end is stopped. `work` must be synchronous.
 */
export function withinTime<Result>(milliseconds: number, work: () => Result): Result {
  sandbox ??= { context: createContext({}), script: new Script('result = work()') };
  const { context, script } = sandbox;
  context['work'] = work;
  try {
    script.runInContext(context, { timeout: milliseconds });
    return context['result'] as Result;
  } catch (error) {
    if (isTimeout(error)) throw new TimeLimitExceeded(`stopped after ${milliseconds} ms`);
    throw error;
  } finally {
    context['work'] = null;
    context['result'] = null;
  }
}

/** Recognised by its code: errors from another context are not instances of this one's classes. */
export function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
