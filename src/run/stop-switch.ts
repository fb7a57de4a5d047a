import { setMaxListeners } from 'node:events';
import type { StopReason } from '../journal/event.js';

/** Whether a run, a target or a model still sends requests. Once stopped, it stays stopped. */
export interface StopSwitch {
  /** The reason why nothing more is sent; null while requests are sent. */
  reason(): StopReason | null;
  /** The first reason counts. */
  stop(reason: StopReason): void;
  /** Aborted by the stop, so that waiting ends. */
  readonly signal: AbortSignal;
}

/** A switch of its own that also stops with its parent. */
export function createStopSwitch(
  parent: StopSwitch | null,
  onStop: (reason: StopReason) => void = () => undefined,
): StopSwitch {
  const controller = new AbortController();
  const signal = parent === null ? controller.signal : AbortSignal.any([controller.signal, parent.signal]);
  setMaxListeners(0, controller.signal, signal);
  let own: StopReason | null = null;
  return {
    reason: () => own ?? parent?.reason() ?? null,
    stop(reason) {
      if (own !== null) return;
      own = reason;
      onStop(reason);
      controller.abort();
    },
    signal,
  };
}
