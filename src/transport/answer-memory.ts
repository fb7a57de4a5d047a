/** The part of the memory that one answer takes. */
export interface Holding {
  /**
   * Adds bytes that have been read. false: there is no room for more, and the rest of the answer has to stay where it is
   * until `goOn` is called.
   */
  grow(bytes: number): boolean;
  /** The answer is no longer needed. */
  release(): void;
}

/** The memory that answers take together, from their first byte until nothing needs them any more. */
export interface AnswerMemory {
  readonly open: (goOn: () => void) => Holding;
}

/** Bytes that any answer may have, however full the memory is: nearly all have fewer, and never wait. */
const alwaysRoomFor = 1_000_000;

/**
 * Bounds what many large answers take at once. Beyond `most` bytes in all, a single answer at a time may grow, the first
 * that asks; it waits for no other, so it comes to its end and makes room. Together they take at most `most`, what is
 * always free to each of them, and one whole answer more.
 */
export function createAnswerMemory(most: number): AnswerMemory {
  let taken = 0;
  /** The one that may grow although the memory is full. */
  let growing: Holding | null = null;
  const waiting = new Map<Holding, () => void>();

  const mayGrow = (holding: Holding): boolean => {
    if (taken > most) growing ??= holding;
    return taken <= most || growing === holding;
  };

  return {
    open(goOn) {
      let own = 0;
      let released = false;
      const holding: Holding = {
        grow(bytes) {
          if (released) return true;
          own += bytes;
          taken += bytes;
          if (own <= alwaysRoomFor || mayGrow(holding)) return true;
          waiting.set(holding, goOn);
          return false;
        },
        release() {
          if (released) return;
          released = true;
          taken -= own;
          waiting.delete(holding);
          if (growing === holding) growing = null;
          for (const [other, wake] of [...waiting]) {
            if (!mayGrow(other)) break;
            waiting.delete(other);
            wake();
          }
        },
      };
      return holding;
    },
  };
}

/** Of this process. An answer takes several times its size while it is read, judged and written down. */
export const answerMemory = createAnswerMemory(32_000_000);
