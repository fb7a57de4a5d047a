import { Readable } from 'node:stream';
import type { TargetConfig } from '../config/config.js';
import type { JournalLine, RunEvent } from '../journal/event.js';
import { openRecordedExchanges, recordedExchangesOf } from '../journal/read-journal.js';
import { systemClock } from './clock.js';
import type { DriveOptions } from './drive-options.js';
import { runPlan } from './run-plan.js';
import type { RunTarget } from './target-state.js';

/** Events that may wait for a slow listener before the run waits as well. */
const roomForEvents = 64;

/**
 * Drives a plan and yields an event for everything that happens. Ends without `run_finished` when it was interrupted.
 * Throws a JournalError, SecretInBody, UserError or InternalError after everything in flight has been written down and
 * the journal is closed. A listener that stops reading interrupts the run.
 */
export async function* drive(options: DriveOptions): AsyncGenerator<RunEvent, void, undefined> {
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
  // Events before the failure are yielded first.
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

/** The options that judging a run again needs. */
type ReplayOptions = Pick<
  DriveOptions,
  'plan' | 'courses' | 'trial' | 'further' | 'watchWire' | 'controlBody' | 'judgeControl' | 'signal'
> & { readonly targets: readonly TargetConfig[] };

/**
 * The events of a recorded run, judged again by today's plan. Nothing is sent. An exchange counts if today's suites
 * would send the same body. A course that asks for more than was recorded says how many trials it would need. Throws a
 * JournalError.
 * @param journal the file, or its lines
 */
export async function* replay(
  journal: string | Iterable<JournalLine>,
  options: ReplayOptions,
): AsyncGenerator<RunEvent, void, undefined> {
  const recorded = await (typeof journal === 'string'
    ? openRecordedExchanges(journal, { matchBodies: true })
    : recordedExchangesOf(journal, { matchBodies: true }));
  yield* drive({
    ...options,
    targets: new Map(options.targets.map((config) => [config.name, silentTarget(config)])),
    clock: systemClock,
    budget: { requests: null, tokens: null, cost: null },
    run: { id: recorded.started?.run ?? 'unknown', tool: { name: 'chatspec', version: '' }, node: '', shard: null },
    journal: null,
    recorded,
    replay: true,
  });
}

/** A target to which nothing can be sent. */
function silentTarget(config: TargetConfig): RunTarget {
  const send = () => Promise.reject(new Error('nothing is sent when a run is judged again'));
  return { config, simulator: false, send };
}
