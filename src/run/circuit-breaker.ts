/** Requests of a model in a row that are refused or not answered, which make it doubtful that it answers at all. */
const failuresToOpen = 10;

/** Holds back the requests of a model of which it is doubtful that it answers. */
export interface CircuitBreaker {
  readonly failuresInARow: () => number;
  readonly isOpen: () => boolean;
  /** Counts an answer to a request of a cell, or that none came. Returns whether this one opens the breaker. */
  readonly note: (isAnswered: boolean) => boolean;
  readonly close: () => void;
  /** Ends the breaker with the last cell of the model: whether it answers matters no longer. */
  readonly retire: () => void;
  readonly isRetired: () => boolean;
}

export function createCircuitBreaker(): CircuitBreaker {
  let failures = 0;
  let isOpen = false;
  let isRetired = false;
  return {
    failuresInARow: () => failures,
    isOpen: () => isOpen,
    note(isAnswered) {
      failures = isAnswered ? 0 : failures + 1;
      if (failures < failuresToOpen || isOpen) return false;
      isOpen = true;
      return true;
    },
    close() {
      failures = 0;
      isOpen = false;
    },
    retire: () => void (isRetired = true),
    isRetired: () => isRetired,
  };
}
