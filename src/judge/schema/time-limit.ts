import { createContext, Script, type Context } from 'node:vm';

let sandbox: { readonly context: Context; readonly script: Script } | null = null;

export class TimeLimitExceeded extends Error {
  override readonly name = 'TimeLimitExceeded';
}

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

/** Runs a check that may usually take `usual` milliseconds, and gives it the time that it may take here. */
export type Patience = <Result>(usual: number, check: (milliseconds: number) => Result) => Result;

/** Every check gets its usual time. */
export const allPatience: Patience = (usual, check) => check(usual);

/** Thrown where a check would take longer than it may for now, though not longer than it may at all. */
export class OutOfPatience extends Error {
  override readonly name = 'OutOfPatience';
}

/**
 * Gives all checks together so many milliseconds. A check that is stopped for that throws {@link OutOfPatience}; to show
 * that it was stopped it throws {@link TimeLimitExceeded}.
 */
export function shortPatience(milliseconds: number): Patience {
  let left = milliseconds;
  return (usual, check) => {
    const most = Math.min(usual, Math.max(1, Math.ceil(left)));
    const begun = performance.now();
    try {
      return check(most);
    } catch (error) {
      throw error instanceof TimeLimitExceeded && most < usual ? new OutOfPatience() : error;
    } finally {
      left -= performance.now() - begun;
    }
  };
}

/** Recognised by its code: errors from another context are not instances of this one's classes. */
export function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
