/** Who may send next on an account: whoever has precedence, and nobody else meanwhile. */
export interface Precedence {
  /** Holds all others back until the returned function is called. Several may have it at once. */
  take(): () => void;
  /** Resolves when nobody has it any more; null when nobody has it. */
  wait(): Promise<void> | null;
}

export function createPrecedence(): Precedence {
  const holders = new Set<symbol>();
  let over: { readonly promise: Promise<void>; readonly resolve: () => void } | null = null;
  return {
    take() {
      const holder = Symbol('precedence');
      holders.add(holder);
      return () => {
        holders.delete(holder);
        if (holders.size > 0) return;
        over?.resolve();
        over = null;
      };
    },
    wait() {
      if (holders.size === 0) return null;
      if (over === null) {
        let resolve = (): void => undefined;
        const promise = new Promise<void>((done) => (resolve = done));
        over = { promise, resolve };
      }
      return over.promise;
    },
  };
}
