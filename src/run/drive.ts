import { Readable } from 'node:stream';
import type { RunEvent } from '../journal/event.js';
import { checkOnlyOptions } from '../options/first-argument.js';
import { driveOptionTable, type DriveOptions } from './drive-options.js';
import { runPlan } from './run-plan.js';

/** Events that may wait for a slow listener before the run waits as well. */
const roomForEvents = 64;

/**
 * Drives a plan and yields an event for everything that happens. Ends without `run_finished` when it was interrupted.
 * Throws a JournalError, SecretInBody, UserError or InternalError after everything in flight has been written down and
 * the journal is closed. A listener that stops reading interrupts the run.
 */
export async function* drive(options: DriveOptions): AsyncGenerator<RunEvent, void, undefined> {
  checkOnlyOptions('drive', options, driveOptionTable);
  const left = new AbortController();
  const signal = AbortSignal.any(options.signal === undefined ? [left.signal] : [left.signal, options.signal]);
  const waiting: (() => void)[] = [];
  const goOn = (): void => {
    for (const go of waiting.splice(0)) go();
  };
  const events = new Readable({ objectMode: true, highWaterMark: roomForEvents, read: goOn });
  const emit = async (event: RunEvent): Promise<void> => {
    if (!left.signal.aborted && !events.push(event)) await new Promise<void>((go) => waiting.push(go));
  };
  const work = runPlan({ ...options, signal }, emit).finally(() => events.push(null));
  // What happened before the run failed is yielded first.
  work.catch(() => undefined);
  try {
    yield* events as AsyncIterable<RunEvent>;
    await work;
  } finally {
    left.abort();
    goOn();
    await work.catch(() => undefined);
  }
}
