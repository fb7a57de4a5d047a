import type { RunEvent } from '../journal/event.js';
import { checkOnlyOptions } from '../options/first-argument.js';
import { driveOptionTable, type DriveOptions } from './drive-options.js';
import { createChannel } from './event-channel.js';
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
  const channel = createChannel<RunEvent>(roomForEvents);
  const left = new AbortController();
  const signal = AbortSignal.any(options.signal === undefined ? [left.signal] : [left.signal, options.signal]);
  const work = runPlan({ ...options, signal }, (event) => channel.push(event)).then(
    () => {
      channel.end();
    },
    (error: unknown) => {
      channel.fail(error);
    },
  );
  try {
    // To hand another generator's values on takes several promises each.
    for (let event = await channel.take(); event !== undefined; event = await channel.take()) yield event;
  } finally {
    left.abort();
    channel.abandon();
    await work;
  }
}
