import { exitCodes } from '../errors/errors.js';
import type { Io } from './io.js';

/** Does work that asks models. The first signal stops the asking, and what is being written is finished; the second ends it. */
export async function untilInterrupted(io: Io, work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const controller = new AbortController();
  const stopListening = io.onInterrupt(() => {
    if (controller.signal.aborted) io.exitNow(exitCodes.interrupted);
    io.err('\nchatspec: interrupted; waiting for requests in flight (interrupt again to quit at once)\n');
    controller.abort();
  });
  try {
    return await work(controller.signal);
  } finally {
    stopListening();
  }
}
