/** Thrown where a check was stopped. */
export class TimeLimitExceeded extends Error {
  override readonly name = 'TimeLimitExceeded';
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
