/**
 * Of the cells of a model that fail alike, one is asked until it is an alarm; the others wait, and are asked no further
 * if it is. What this saves depends on the order of the run, what the run concludes does not: that follows from the
 * findings.
 */
export interface SharedProof {
  /**
   * Resolves when the cell has to be asked on, to false, or when another has proved its cause, to true.
   * @param cause null: it shows none that it may share
   */
  readonly isProved: (cell: string, cause: string | null) => Promise<boolean>;
  /** A cell of this cause is an alarm. */
  readonly proved: (cause: string) => void;
  /** Takes out a cell of which nothing more is asked. */
  readonly left: (cell: string) => void;
}

export function createSharedProof(): SharedProof {
  const certain = new Set<string>();
  /** The cell that is asked on, by cause. */
  const provers = new Map<string, string>();
  let waiting: (() => void)[] = [];
  const left = (cell: string): void => {
    for (const [cause, prover] of provers) if (prover === cell) provers.delete(cause);
    const all = waiting;
    waiting = [];
    for (const go of all) go();
  };
  return {
    left,
    async isProved(cell, cause) {
      if (cause !== null && provers.get(cause) === cell) return false;
      left(cell);
      if (cause === null) return false;
      while (provers.has(cause)) await new Promise<void>((go) => waiting.push(go));
      if (certain.has(cause)) return true;
      provers.set(cause, cell);
      return false;
    },
    proved: (cause) => void certain.add(cause),
  };
}
