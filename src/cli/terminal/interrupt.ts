import type { Io } from './io.js';

/** The first SIGINT or SIGTERM aborts the signal, so that the run can end well; the second ends the program at once. */
export function interruptible(io: Io): { readonly signal: AbortSignal; readonly done: () => void } {
  const controller = new AbortController();
  const stopListening = io.onInterrupt(() => {
    if (controller.signal.aborted) io.exitNow(130);
    io.err('\nchatspec: interrupted; finishing what is in flight (again: stop at once)\n');
    controller.abort();
  });
  return { signal: controller.signal, done: stopListening };
}
