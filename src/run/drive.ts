import type { Exchange } from '../chat/exchange.js';
import type { Budget, ModelConfig } from '../config/config.js';
import type { Course, Finding, Trial } from '../decide/course.js';
import type { ShownBefore } from '../decide/tempered.js';
import type { Json } from '../json/json.js';
import type { Outcome } from '../judge/outcome.js';
import type { CourseName, Plan, Ticket } from '../plan/cell.js';
import { createChannel } from './channel.js';
import type { Clock } from './clock.js';
import type { GivenOptions, RunEvent } from './event.js';
import type { Journal } from './journal.js';
import type { RunTarget } from './lane.js';
import type { Recorded } from './recorded.js';
import { runPlan } from './run-plan.js';

/** What a run needs to know and to reach. */
export interface DriveOptions {
  readonly plan: Plan;
  /** By name; every target that the plan asks. */
  readonly targets: ReadonlyMap<string, RunTarget>;
  readonly courses: Readonly<Record<CourseName, Course>>;
  readonly trial: Trial;
  /** What else to ask a model after what was found, by cell key: asked until nothing more comes. */
  readonly further?: (model: string, findings: ReadonlyMap<string, Finding>) => readonly Ticket[];
  /** The plain request that opens a model, as it goes over the wire. */
  readonly controlBody: (model: ModelConfig) => Json;
  /** What the answer to it shows. */
  readonly judgeControl: (exchange: Exchange) => Promise<Outcome>;
  readonly clock: Clock;
  readonly budget: Budget;
  readonly run: {
    readonly id: string;
    readonly tool: { readonly name: string; readonly version: string };
    /** Version of Node. */
    readonly node: string;
    /** The plan is one of `of` parts, and so are its limits and its budget. */
    readonly shard: { readonly index: number; readonly of: number } | null;
    readonly options?: GivenOptions;
    /** null: not known. */
    readonly shownBefore?: ShownBefore | null;
  };
  /** Where exchanges are written down before they count; null keeps none. */
  readonly journal: Journal | null;
  /** Exchanges of an earlier run of the same plan: what they answer is not asked again. */
  readonly recorded: Recorded | null;
  /** Nothing is sent: what is not recorded stays open. */
  readonly replay?: boolean;
  /** Interrupts: nothing more is sent, and what is in flight gets five seconds. */
  readonly signal?: AbortSignal;
}

/** Events that may wait for a slow listener before the run waits, too. */
const roomForEvents = 64;

/**
 * Drives a plan and tells what happens. Ends without `run_finished` when it was interrupted; throws a JournalError,
 * SecretInBody, UserError or OwnBug after what was in flight has been written down and the journal is closed.
 * A listener that stops reading interrupts the run.
 */
export async function* drive(options: DriveOptions): AsyncGenerator<RunEvent, void, undefined> {
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
    yield* channel;
  } finally {
    left.abort();
    channel.abandon();
    await work;
  }
}
