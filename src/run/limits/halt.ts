import { setMaxListeners } from 'node:events';

/** Whether something (the run, a target, a model) still sends. What is halted stays halted. */
export interface Halt {
  /** Why nothing more is sent; null while it is. */
  why(): string | null;
  /** The first reason stays. */
  stop(why: string): void;
  /** Aborted when it stops, so that waiting ends. */
  readonly signal: AbortSignal;
}

/** A halt of its own, which also stops when the parent does. */
export function createHalt(parent: Halt | null, onStop: (why: string) => void = () => undefined): Halt {
  const controller = new AbortController();
  const signal = parent === null ? controller.signal : AbortSignal.any([controller.signal, parent.signal]);
  setMaxListeners(0, controller.signal, signal);
  let own: string | null = null;
  return {
    why: () => own ?? parent?.why() ?? null,
    stop(why) {
      if (own !== null) return;
      own = why;
      onStop(why);
      controller.abort();
    },
    signal,
  };
}
