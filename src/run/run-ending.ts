import { setMaxListeners } from 'node:events';
import type { Stop, StopReason } from '../journal/event.js';
import type { DriveOptions, EmitEvent } from './drive-options.js';
import { runError } from './run-error.js';
import { createStopSwitch, type StopSwitch } from './stop-switch.js';

/** How long requests in flight may go on after an interruption, in milliseconds. */
const graceAfterInterruption = 5000;

/** Interruptions and failures that end a run early, and questions that it waits for before it ends. */
export interface RunEnding {
  /** Of the whole run. */
  readonly stopSwitch: StopSwitch;
  /** Cuts requests in flight, some time after an interruption. */
  readonly cut: AbortSignal;
  /** The stops so far. */
  readonly stops: readonly Stop[];
  readonly stopped: (target: string | null, model: string | null, reason: StopReason) => void;
  /** Interrupts the run, as when its journal cannot be written; `throwFailure` throws the first error. */
  readonly failed: (error: unknown) => void;
  readonly throwFailure: () => void;
  /** A question beside the trials. */
  readonly beside: (question: Promise<void>) => void;
  readonly questionsEnd: () => Promise<unknown>;
  readonly close: () => void;
}

export function createRunEnding({ clock, signal }: Pick<DriveOptions, 'clock' | 'signal'>, emit: EmitEvent): RunEnding {
  const stops: Stop[] = [];
  const failures: Error[] = [];
  const questions: Promise<void>[] = [];
  const cut = new AbortController();
  // One listener for each request in flight.
  setMaxListeners(0, cut.signal);
  const closed = new AbortController();
  let isInterrupted = false;
  const stopped: RunEnding['stopped'] = (target, model, reason) => {
    const stop = { target, model, ...reason };
    stops.push(stop);
    if (reason.kind !== 'interrupted') void emit({ type: 'stopped', stop });
  };
  const stopSwitch = createStopSwitch(null, (reason) => stopped(null, null, reason));
  const interrupt = (): void => {
    if (isInterrupted) return;
    isInterrupted = true;
    stopSwitch.stop({ kind: 'interrupted' });
    void clock.sleep(graceAfterInterruption, closed.signal).then(() => cut.abort());
  };
  if (signal?.aborted === true) interrupt();
  signal?.addEventListener('abort', interrupt);
  return {
    stopSwitch,
    cut: cut.signal,
    stops,
    stopped,
    failed(error) {
      failures.push(runError(error, null));
      interrupt();
    },
    throwFailure() {
      const [first] = failures;
      if (first !== undefined) throw first;
    },
    beside: (question) => void questions.push(question),
    questionsEnd: () => Promise.all(questions),
    close() {
      signal?.removeEventListener('abort', interrupt);
      closed.abort();
    },
  };
}
