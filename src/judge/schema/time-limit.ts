import { createContext, Script, type Context } from 'node:vm';

let room: { readonly context: Context; readonly script: Script } | null = null;

export class TookTooLong extends Error {
  override readonly name = 'TookTooLong';
}

/**
 * Runs `work` for at most `milliseconds`; throws {@link TookTooLong} then. The engine itself stops it, so that even a
 * regular expression that explodes ends. `work` must not wait for anything.
 */
export function withinTime<Result>(milliseconds: number, work: () => Result): Result {
  room ??= { context: createContext({}), script: new Script('result = work()') };
  const { context, script } = room;
  context['work'] = work;
  try {
    script.runInContext(context, { timeout: milliseconds });
    return context['result'] as Result;
  } catch (error) {
    if (isTimeout(error)) throw new TookTooLong(`stopped after ${milliseconds} ms`);
    throw error;
  } finally {
    context['work'] = null;
    context['result'] = null;
  }
}

/** By its code: errors of another context are no instances of this one's classes. */
export function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
