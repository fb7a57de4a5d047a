import { createContext, Script, type Context } from 'node:vm';

let room: { readonly context: Context; readonly script: Script } | null = null;

export class TookTooLong extends Error {
  override readonly name = 'TookTooLong';
}

/**
 * Runs `work` for at most `milliseconds`; throws {@link TookTooLong} then. The JavaScript engine itself
 * stops it, so even an exploding regular expression ends. `work` must be synchronous.
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

/** Recognised by its code: errors from another context are not instances of this one's classes. */
export function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
