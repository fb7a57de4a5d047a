/** Events from many workers to one listener; any value but undefined. */
export interface Channel<T> {
  /** Resolves once there is room for more: a slow listener slows the workers down, and memory stays flat. */
  push(value: T): Promise<void>;
  /** The next value, as soon as there is one; undefined at the end. Throws what the work failed with. */
  take(): Promise<T | undefined>;
  /** Nothing more will come. */
  end(): void;
  /** Nothing more will come, because of this error. */
  fail(error: unknown): void;
  /** The listener has left: values are dropped, and no worker waits. */
  abandon(): void;
}

export function createChannel<T>(room: number): Channel<T> {
  const values: T[] = [];
  const waitingForRoom: (() => void)[] = [];
  let waitingForValue: (() => void) | null = null;
  let ended = false;
  let abandoned = false;
  let failure: { readonly error: unknown } | null = null;

  const wakeListener = (): void => {
    waitingForValue?.();
    waitingForValue = null;
  };

  /** Lets workers go until as many wait as there are values beyond the room, however many were pushed at once. */
  const makeRoom = (): void => {
    const tooMany = Math.max(0, values.length - room + 1);
    for (const go of waitingForRoom.splice(0, waitingForRoom.length - tooMany)) go();
  };

  return {
    push(value) {
      if (abandoned || ended) return Promise.resolve();
      values.push(value);
      wakeListener();
      if (values.length < room) return Promise.resolve();
      return new Promise((resolve) => waitingForRoom.push(resolve));
    },
    end() {
      ended = true;
      wakeListener();
    },
    fail(error) {
      failure = { error };
      ended = true;
      wakeListener();
    },
    abandon() {
      abandoned = true;
      values.length = 0;
      for (const go of waitingForRoom.splice(0)) go();
    },
    async take() {
      for (;;) {
        const value = values.shift();
        if (value !== undefined) {
          makeRoom();
          return value;
        }
        if (ended) {
          if (failure !== null) throw failure.error;
          return undefined;
        }
        await new Promise<void>((resolve) => (waitingForValue = resolve));
      }
    },
  };
}
